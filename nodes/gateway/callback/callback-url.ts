/**
 * Where a trigger leaves its production URL: in the static data of its workflow, so that the send nodes of the
 * same workflow can use it as callback address without anybody copying it.
 */
export const CALLBACK_URL_KEY = 'messagingGatewayCallbackUrl';
