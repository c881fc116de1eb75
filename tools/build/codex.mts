import type { GeneratedFile } from './generated-file.mts';
import { jsonFile } from './generated-file.mts';

const listed = (text: string): string[] => text.trim().split(/,\s+/);

/** Other names of channels. */
const CHANNEL_SYNONYMS = listed('Text Message, Phone Call');

/** What people type into n8n's node search when they look for this, beside the node's own name and the channels'. */
const ALIASES = [
  ...CHANNEL_SYNONYMS,
  // What they are for
  ...listed(`
    Carousel, Send SMS, Send Message, Send Text Message, Texting, Messenger, Text to Speech, SMS Gateway, OTP,
    One-Time Password, 2FA, MFA, Two-Factor, Two Factor Authentication, Verification Code, Verify Phone, Flash Call, Notify,
    Telegram Code, Login Code, Confirmation Code, Viber Message, Voice Message, Notification, Alert, Reminder, Broadcast,
    Bulk SMS, Newsletter, Campaign, Fallback, Opt Out, Stop List, Quiet Hours, Send Window
  `),
  // Look-ups and the account
  ...listed(`
    HLR, Number Lookup, Number Validation, Phone Number, Mobile Operator, Delivery Status, Sender Name, Balance, Template
  `),
  // What comes back. The node panel lists node and trigger as one entry, which is found by these words only.
  ...listed(`
    Delivery Report, Delivery Receipt, DLR, Callback, Read Receipt, Reply, Inbound Message, Unsubscribe, STOP, DTMF
  `),
  // Approvals
  ...listed(`Approval, Approve, Human, Human in the Loop, Human Review, HITL, Wait for Response`),
  // The assistant connector
  ...listed(`Assistant, Connector, Call Connector Tool, MCP`),
];

/** What leads to the trigger: the same channels, and what people call a delivery callback. */
const TRIGGER_ALIASES = [
  ...CHANNEL_SYNONYMS,
  ...listed(`
    Delivery Report, Delivery Receipt, Delivery Status, DLR, Callback, Webhook, Read Receipt, Reply, Inbound Message, DTMF
  `),
];

/** Name and homepage, from package.json. */
export interface PackageFacts {
  name: string;
  homepage: string;
}

/** The codex of a node: the category it is listed in, what it is found by, and where its documentation is. */
function codex(
  { name, homepage }: PackageFacts,
  className: string,
  alias: string[],
  asksPeople = false,
): GeneratedFile {
  const readme = homepage.replace(/#.*$/, '');
  return jsonFile(`nodes/${className}/${className}.node.json`, {
    node: `${name}.${className[0].toLowerCase()}${className.slice(1)}`,
    nodeVersion: '1.0',
    codexVersion: '1.0',
    categories: ['Communication', ...(asksPeople ? ['HITL'] : [])],
    // Where the editor lists nodes that ask a person.
    ...(asksPeople && { subcategories: { HITL: ['Human in the Loop'] } }),
    resources: {
      credentialDocumentation: [{ url: `${readme}#send-a-message` }],
      primaryDocumentation: [{ url: `${readme}#readme` }],
    },
    alias,
  });
}

/** The codex files of both nodes, which are found by the contract's channels as well. */
export function codexes(facts: PackageFacts, channelNames: readonly string[]): GeneratedFile[] {
  return [
    codex(facts, 'MessagingGateway', [...channelNames, ...ALIASES], true),
    codex(facts, 'MessagingGatewayTrigger', [...channelNames, ...TRIGGER_ALIASES]),
  ];
}
