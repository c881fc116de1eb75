import type { EngineRequest, EngineResponse, IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { actionNode } from './node-types.mts';
import type { WorkflowNode, WorkflowRun, WorkflowRunOptions } from './engine.mts';
import { PACKAGE_NAME, passThrough, runWorkflow, SOURCE_NODE, stand } from './engine.mts';

/** The action node as n8n offers it to agents: a second type whose name ends with "Tool". */
const TOOL_NODE = `${PACKAGE_NAME}.messagingGatewayTool`;
export const TOOL_NAME = 'Gateway Tool';
const AGENT = 'Agent';
const REVIEW = 'Review';
const MODEL = 'Model';
const OTHER = 'Other';
const AGENT_INPUTS: INodeType['description']['inputs'] = ['main', 'ai_tool', 'ai_languageModel'];

function toolNode(): INodeType {
  const node = actionNode();
  const { usableAsTool: _, ...description } = node.description;
  node.description = { ...description, name: `${description.name}Tool`, inputs: [], outputs: ['ai_tool'] };
  return node;
}

/** What n8n's agents take for the answer of a review. */
export const isApprovedByN8n = (json: IDataObject | undefined): boolean =>
  json?.approved === true || (json?.data as IDataObject | undefined)?.approved === true;

/**
 * Makes one call after the other, by the engine requests with which n8n's agent has its tools run: where they are
 * reviewed, first of the review, then, as its answer is, of the tool.
 */
const agentNode = (calls: IDataObject[], reviewed: boolean): INodeType =>
  stand('agent', AGENT_INPUTS, {
    async execute(this: IExecuteFunctions, response?: EngineResponse) {
      const [given] = response?.actionResponses ?? [];
      const answers = [...((response?.metadata as { answers?: unknown[] })?.answers ?? [])];
      const items = given?.data.data?.ai_tool?.[0]?.map(({ json }) => json);
      const isReviewed = given?.action.nodeName === REVIEW;
      const isApproved = isReviewed && isApprovedByN8n(items?.[0]);
      if (given !== undefined && !isApproved) answers.push(items ?? { failed: given.data.error?.message });
      const input = calls[answers.length];
      if (input === undefined) return await Promise.resolve([[{ json: { answers } as IDataObject }]]);
      const toReview = reviewed && !isApproved;
      const hitl = { gatedToolNodeName: TOOL_NAME, toolName: TOOL_NAME, originalInput: input };
      const request: EngineRequest = {
        actions: [
          {
            actionType: 'ExecutionNodeAction',
            nodeName: toReview ? REVIEW : TOOL_NAME,
            input: toReview
              ? { tool: TOOL_NAME, toolParameters: input }
              : { ...(isApproved && { tool: TOOL_NAME }), ...input },
            type: 'ai_tool',
            id: `call-${answers.length}`,
            metadata: {
              itemIndex: 0,
              ...(toReview && { hitl }),
              ...(isApproved && { parentNodeName: REVIEW }),
            },
          },
        ],
        metadata: { answers } as EngineRequest['metadata'],
      };
      return request;
    },
  });

/** Approves each call; or, as n8n has a node do that it disabled, passes on what it gets. */
const reviewNode = (passesThrough: boolean, decisions: IDataObject[]): INodeType =>
  stand('reviewHitlTool', ['ai_tool'], {
    async execute(this: IExecuteFunctions) {
      return await Promise.resolve([
        passesThrough
          ? this.getInputData()
          : decisions.map((more) => ({ json: { data: { approved: true }, ...more } })),
      ]);
    },
  });

/** Calls its tool itself, as sub-agents, older agents and MCP servers of n8n do. */
const callingNode = (calls: IDataObject[]): INodeType =>
  stand('caller', AGENT_INPUTS, {
    async execute(this: IExecuteFunctions) {
      const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Array<{
        invoke(input: IDataObject): Promise<string>;
      }>;
      const answers: unknown[] = [];
      for (const call of calls) answers.push(JSON.parse(await tool.invoke(call)));
      return [[{ json: { answers } as IDataObject }]];
    },
  });

/** Calls its tool itself, for all of its items at once, as an AI Agent 2.x with a Batch Size does. */
const batchingNode = (calls: IDataObject[]): INodeType =>
  stand('batcher', AGENT_INPUTS, {
    async execute(this: IExecuteFunctions) {
      const answers = await Promise.all(
        calls.map(async (call, item) => {
          const [tool] = (await this.getInputConnectionData('ai_tool', item)) as Array<{
            invoke(input: IDataObject): Promise<string>;
          }>;
          return JSON.parse(await tool.invoke(call)) as IDataObject[];
        }),
      );
      return [[{ json: { answers } as unknown as IDataObject }]];
    },
  });

export interface AgentRunOptions extends Pick<WorkflowRunOptions, 'credentials'> {
  /** Parameters of the tool; expressions with `$fromAI` take the values of a call. */
  parameters: IDataObject;
  /** What the agent passes, call by call. */
  calls: IDataObject[];
  settings?: Omit<WorkflowNode, 'name' | 'type' | 'parameters'>;
  /** Whether a human review step is between the agent and the tool, and approved each call. */
  reviewed?: boolean;
  /** Whether that step asks nobody and passes on its input. */
  passesThrough?: boolean;
  /** What the step puts out beside its decision, of this call and of others. */
  decisions?: IDataObject[];
  /** Node type of the step. */
  reviewType?: string;
  /** Whether another node that has the tool, and no model, is in front of the agent. */
  behindOther?: boolean;
  /** Whether such a step is there, but the agent calls the tool past it. */
  pastReview?: boolean;
  /** Whether the tool is called in the agent's own run and not by the engine. */
  direct?: boolean;
  /** Whether the agent has an item for each call, and makes all calls at once. */
  atOnce?: boolean;
  /** The item that the agent starts with. */
  item?: IDataObject;
}

/**
 * Runs an agent that makes these calls of the action node as its tool, in n8n's own engine. Returns as `answers` the json of
 * the items that the agent got for each call.
 */
export async function runAgent(
  options: AgentRunOptions,
): Promise<WorkflowRun & { answers: IDataObject[][] }> {
  const { parameters, calls, settings, credentials, item = {} } = options;
  const { reviewed = false, pastReview, passesThrough = false, behindOther, direct, atOnce } = options;
  const { reviewType = 'test.reviewHitlTool', decisions = [{}] } = options;
  const hasReview = reviewed || pastReview === true;
  const agent = atOnce ? batchingNode(calls) : direct ? callingNode(calls) : agentNode(calls, reviewed);
  const connections: WorkflowRunOptions['connections'] = [[MODEL, AGENT, 0, 'ai_languageModel']];
  if (behindOther) connections.push(['Start', OTHER], [OTHER, AGENT], [TOOL_NAME, OTHER, 0, 'ai_tool']);
  else connections.push(['Start', AGENT]);
  connections.push([TOOL_NAME, hasReview ? REVIEW : AGENT, 0, 'ai_tool']);
  if (hasReview) connections.push([REVIEW, AGENT, 0, 'ai_tool']);
  const run = await runWorkflow({
    credentials,
    items: atOnce ? calls : [item],
    nodeTypes: {
      [TOOL_NODE]: toolNode(),
      'test.agent': agent,
      [reviewType]: reviewNode(passesThrough, decisions),
      'test.other': passThrough,
      'test.model': stand('model', [], {}),
    },
    nodes: [
      { name: 'Start', type: SOURCE_NODE },
      { name: AGENT, type: 'test.agent' },
      { name: MODEL, type: 'test.model' },
      { name: TOOL_NAME, type: TOOL_NODE, parameters, ...settings },
      ...(hasReview ? [{ name: REVIEW, type: reviewType }] : []),
      ...(behindOther ? [{ name: OTHER, type: 'test.other' }] : []),
    ],
    connections,
  });
  const [answer] = run.outputs(AGENT)[0] ?? [];
  return { ...run, answers: (answer?.json.answers ?? []) as IDataObject[][] };
}
