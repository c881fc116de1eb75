import type { IDataObject } from 'n8n-workflow';

import type { DeepPartial } from '../../sandbox/config.mts';
import type { Account, FaultPlan, SandboxConfig } from '../../sandbox/server.mts';
import { senderNamed } from '../../test/support/sends.mts';
import type { NodeJson } from '../n8n-host/workflow.mts';

/** A number that is reserved for fiction. */
export const PHONE = '447700900123';

/** What is looked at: the output of the node, unless a case says something else. */
export type View = 'credential' | 'notification' | 'trigger panel' | 'published trigger panel';

/** What a user does, and what goes wrong meanwhile. */
export interface SheetCase {
  /** The form of the action node. */
  form: IDataObject;
  shows?: View;

  /** Whether the editor is dark. */
  isDark?: boolean;

  /** What comes in; one empty item where it is left out. */
  input?: IDataObject[];

  /** Another node than the action, such as a trigger. */
  node?: NodeJson;

  /** Settings of the node, such as `onError`. */
  settings?: IDataObject;

  /** Fields of the credential that differ from the sandbox's. */
  credential?: IDataObject;

  /** What goes wrong at the gateway. */
  faults?: FaultPlan[];

  /** What the account has. */
  account?: Partial<Account>;

  /** How the gateway behaves. */
  config?: DeepPartial<SandboxConfig>;

  /** How often the workflow runs; the last run is shown. */
  runs?: number;
}

/** Cases by their titles. */
export type SheetCases = Record<string, SheetCase>;

export const sms = (over: IDataObject = {}): IDataObject => ({
  resource: 'message',
  operation: 'sendSms',
  phone: PHONE,
  smsSignature: senderNamed(),
  smsMessage: 'Your order is ready',
  ...over,
});

export const viber = (over: IDataObject = {}): IDataObject => ({
  resource: 'message',
  operation: 'sendViber',
  phone: PHONE,
  viberSignature: senderNamed('ViberSender'),
  viberType: 'text',
  viberMessage: 'Your order is ready',
  ...over,
});

/** A node that sends to the number of each row. */
export const toRows = (over: IDataObject = {}): IDataObject => sms({ phone: '={{ $json.phone }}', ...over });

/** So many rows, each with a number of its own. */
export const rowsOf = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, nth) => ({ phone: `4477009001${10 + nth}`, name: `Order ${nth + 1}` }));

export const options = (given: IDataObject): IDataObject => ({ options: given });

/** What a user chooses so that a node goes on. */
export const CONTINUE: IDataObject = { onError: 'continueRegularOutput' };
