import type { INodeProperties } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { seesFirstItemOnly } from '../../n8n/undocumented';
import { choice, property, shownFor } from '../fields/property';
import type { OperationDescription } from '../run/description';
import type { Item } from '../run/item';
import { recipientsProperties } from './allowed-numbers';
import { approvedByPerson } from './detect';

/**
 * The locks on an agent's tool that sends or deletes, shown only there: the author's switch, and how each call is confirmed. These are
 * their words.
 */
interface Deed {
  verb: 'send' | 'delete';
  label: string;
  done: string;

  /** The texts that a user has to see before confirming. */
  shown: string;
  because: string;
}

const SENDING: Deed = {
  verb: 'send',
  label: 'Allow Sending',
  done: 'sent',
  shown: 'the recipient and the text',
  because: 'Messages cost money',
};

const DELETING: Deed = {
  verb: 'delete',
  label: 'Allow Deleting',
  done: 'deleted',
  shown: 'the template',
  because: 'A deleted template is gone for good',
};

/** Returns what an operation does behind the locks; undefined for an operation without locks. */
export function lockedDeed({
  effect,
  operation,
}: Pick<OperationDescription, 'effect' | 'operation'>): Deed | undefined {
  if (effect === 'sends') return SENDING;
  return operation === 'delete' ? DELETING : undefined;
}

const ALLOW = 'allowSending';

const allowProperty = ({ label, verb, because }: Deed): INodeProperties =>
  property(
    label,
    ALLOW,
    `Whether the agent may ${verb} with this tool. ${because}, so each call must be confirmed as well.`,
    { type: 'boolean', noDataExpression: true, default: false, ...shownFor({ '@tool': [true] }) },
  );

/** The notice at the top of the form, since the switch stands below all fields. */
const notice = ({ label, verb }: Deed): INodeProperties => ({
  displayName: `Until '${label}' below is on, the agent ${verb}s nothing with this tool`,
  name: 'sendingNotice',
  type: 'notice',
  default: '',
  ...shownFor({ '@tool': [true], [ALLOW]: [false] }),
});

const CONFIRMATION = 'confirmation';
const CONFIRMED_BY_AGENT = 'confirmedByAgent';
const confirmText = ({ verb, shown, because }: Deed): string =>
  `${because}. true only after the user has seen ${shown} and agreed to ${verb} exactly this; otherwise false`;

/** Returns the fields that say how a call is confirmed, shown while the switch with this parameter name is on. */
export function confirmationProperties(switchName: string, deed = SENDING): INodeProperties[] {
  const show = { '@tool': [true], [switchName]: [true] };
  return [
    {
      ...choice('Confirmation', CONFIRMATION, `Who must confirm each call before anything is ${deed.done}`, [
        [
          'agent',
          'By the Agent',
          'The agent must pass confirm: true in each call and is instructed to ask its user first',
        ],
        [
          'person',
          'By a Person',
          'A human review step between the agent and this tool must approve each call',
        ],
      ]),
      noDataExpression: true,
      ...shownFor(show),
    },
    {
      displayName:
        'A call passes only through a human review: add one to the agent from the list <i>Human review</i> of its tools, and connect this tool to the review instead of the agent',
      name: 'reviewNotice',
      type: 'notice',
      default: '',
      ...shownFor({ ...show, [CONFIRMATION]: ['person'] }),
    },
    {
      displayName: 'Confirmed by the Agent',
      name: CONFIRMED_BY_AGENT,
      type: 'hidden',
      default: `={{ $fromAI('confirm', '${confirmText(deed)}', 'boolean', false) }}`,
      ...shownFor({ ...show, [CONFIRMATION]: ['agent'] }),
    },
  ];
}

/**
 * Returns the form of a wire operation with what an agent's tool adds behind its fields: its locks where it sends or deletes, and
 * Allowed Recipients where it reads about a number.
 */
export function withLocks(
  names: Pick<OperationDescription, 'effect' | 'operation'>,
  fields: INodeProperties[],
): INodeProperties[] {
  const deed = lockedDeed(names);
  if (deed === undefined)
    return fields.some(({ name }) => name === 'phone') ? [...fields, ...recipientsProperties()] : fields;
  return [
    notice(deed),
    ...fields,
    allowProperty(deed),
    ...(deed === SENDING ? recipientsProperties({ [ALLOW]: [true] }) : []),
    ...confirmationProperties(ALLOW, deed),
  ];
}

/** Expressions that read the item of the call contain this. */
const ITEM_IN_EXPRESSION = /\$json\b|\$input\b|\$node\b|\)\.item\b/;

/** Whether an expression in a value of parameters reads the item of the call. */
function readsItem(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('=') && ITEM_IN_EXPRESSION.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(readsItem);
}

/**
 * The refusal of an agent's call of a tool that sends or deletes, worded for the model, in the shape of the gateway's own
 * connector (gateway-api.md, "Confirmed sends"); undefined where both locks are open.
 */
export function lockedAgainst(
  { run: { context, form }, read }: Item,
  deed: Deed = SENDING,
  { name: switchName, displayName: label } = allowProperty(deed),
) {
  const { verb, done, shown } = deed;
  const locked = (reason: string, howTo: string) => ({
    refused: true,
    reason: `Nothing was ${done}: ${reason}`,
    how_to: howTo,
  });
  // Read raw, since an agent could fill in an expression.
  if (form.raw(switchName) !== true) {
    return locked(
      `the author of this workflow has not allowed this tool to ${verb}`,
      `Do not try again. Tell the user that this has to be allowed in the workflow first, in the settings of this tool ('${label}').`,
    );
  }
  if (seesFirstItemOnly(context) && readsItem(context.getNode().parameters)) {
    return locked(
      'this tool reads its item, and this version of the AI Agent shows it the first item in each call',
      'Do not try again. Tell the user to choose version 3 of the AI Agent or later, to let the model fill in the field, or to send with a node behind the agent.',
    );
  }
  const confirmation = form.raw(CONFIRMATION);
  if (confirmation !== 'person' && confirmation !== 'agent') {
    return locked(
      'the author of this workflow has not said who confirms a call',
      "Do not try again. Tell the user to choose one in 'Confirmation' in the settings of this tool; it takes no expression.",
    );
  }
  if (confirmation === 'person') {
    const edits = approvedByPerson(context);
    if (edits !== undefined) {
      form.replaceTexts(edits);
      return undefined;
    }
    return locked(
      'a person has to approve each call, and nobody was asked',
      'Do not try again. Tell the user that the workflow needs a human review step between the agent and this tool.',
    );
  }
  // Only a value that the model fills in counts: a fixed one would confirm all calls at once.
  const isFilledIn = /^=.*\$fromAI\(/.test(String(form.raw(CONFIRMED_BY_AGENT)));
  if (isFilledIn && read(CONFIRMED_BY_AGENT) === true) return undefined;
  return locked(
    'this call was not confirmed',
    `Show the user ${shown}. Once the user agrees to ${verb} exactly that, call this tool again with the same values and confirm: true.`,
  );
}

/** Returns whether a call of the connector is confirmed: by the switch, and for an agent by the call too. `advice` is on the closed lock. */
export function callLock(item: Item, ownSwitch: INodeProperties): { confirmed: boolean; advice?: string } {
  if (!isAgentTool(item.run.context)) return { confirmed: item.read(ownSwitch.name) === true };
  const refusal = lockedAgainst(item, SENDING, ownSwitch);
  return { confirmed: refusal === undefined, advice: refusal?.how_to };
}
