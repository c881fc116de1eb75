import type { Agent } from 'node:http';
import { request } from 'node:http';

/** Posts JSON over one of the agent's connections. Returns the HTTP status, once the answer has been read. */
export const post = async (url: string, body: string, agent: Agent): Promise<number | undefined> =>
  await new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject);
    call.end(body);
  });
