/** The package's types as its sources make them. */
import type { ICredentialType, INodeType } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials.ts';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node.ts';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node.ts';

export const actionNode = (): INodeType => new MessagingGateway();

export const triggerNode = (): INodeType => new MessagingGatewayTrigger();

export const credentialType = (): ICredentialType => new MessagingGatewayApi();
