/** What a new user does to give a tool to an agent, or to call one of the gateway's assistant connector. */
import type { N8nClient } from '../n8n-host/rest-client.mts';
import type { WorkflowJson } from '../n8n-host/workflow.mts';
import { chainOf } from '../n8n-host/workflow.mts';
import { until } from '../until.mts';
import { connectedTo, extended, modelCredential } from '../../test/support/real-agent.mts';
import { startModel } from '../../test/support/scripted-model.mts';
import { PHONE, TEXT } from './task.mts';
import type { Tasks } from './task.mts';

const AGENT = '@n8n/n8n-nodes-langchain.agent';

/** A chat with an agent and its model, which stand for the user's own. */
async function chatWithAgent(client: N8nClient, model: { url: string }): Promise<WorkflowJson> {
  const { id, name } = await modelCredential(client, model);
  const chat = {
    name: 'Chat',
    type: '@n8n/n8n-nodes-langchain.chatTrigger',
    typeVersion: 1.1,
    webhookId: 'walk-chat',
    parameters: { options: {} },
  };
  const agent = {
    name: 'AI Agent',
    type: AGENT,
    typeVersion: await client.latestVersion(AGENT),
    parameters: { options: {} },
  };
  const languageModel = {
    name: 'Model',
    type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
    typeVersion: 1.2,
    parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: { maxRetries: 0 } },
    credentials: { openAiApi: { id, name } },
  };
  return extended(chainOf('Agent', [chat, agent]), [languageModel], {
    Model: connectedTo('ai_languageModel', 'AI Agent'),
  });
}

export const AGENTS: Tasks = {
  'Connector: call a tool': async (walker, { sandbox }) => {
    await walker.addNode('connector', /^Call connector tool$/);
    await walker.editCredential('mcpUrl', sandbox.mcpUrl);
    await walker.chooseFrom('tool', /^balance/i);
    await walker.executeToEnd();
  },

  "An agent's tool": async (walker, { client, sandbox }) => {
    const call = 'Send_SMS_in_Messaging_Gateway';
    const message = { Phone_Number: PHONE, SMS_Text: TEXT };
    const model = await startModel([
      { call, with: message },
      { call, with: { ...message, confirm: true } },
      { say: 'Done' },
    ]);
    try {
      await walker.paste(await chatWithAgent(client, model));
      await walker.addTool('sms');
      await walker.chooseSender('smsSignature');
      // The last one first: a field that the model defines has no such button any more.
      await walker.letModelDefine(-1, 'SMS Text');
      await walker.letModelDefine(0, 'Phone Number');
      await walker.turnOn('allowSending');
      await walker.closePanel();
      await walker.chat('Tell the customer that the order is ready');
      await model.finished();
      await until(`a message instead of ${model.toolAnswers().join()}`, () => sandbox.messages.list().at(-1));
      await walker.page.getByText('Done').last().waitFor();
    } finally {
      await model.close();
    }
  },
};
