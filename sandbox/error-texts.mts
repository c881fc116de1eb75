/** Error texts; the first four are the contract's (gateway-api.md, "Refusals"), the others are the sandbox's own. */
export const ERRORS = {
  accessDenied: 'Access denied',
  operator: 'Operator not supported',
  alphaName: 'Error in Alpha-name',
  messageType: 'Invalid message type',
  emptySms: 'Please enter SMS text',
  notFound: 'Message not found',
  funds: 'Not enough funds',
  duplicate: 'Duplicate message id',
} as const;
