/** Addresses with which somebody who knows a waiting execution, and not the secret of its question, could try to open it. */

/** What such a person knows. */
interface Knowledge {
  /** Address of n8n. */
  url: string;
  executionId: string;
  /** The execution's resume token: in its data, in `$execution.resumeUrl`, in the `hook` of an earlier wait. */
  token: string;
  /** Id of the node that asks. */
  nodeId: string;
  /** Id of another node of the workflow. */
  otherNodeId: string;
  /** Another execution that waits in a node of the same id. */
  otherExecutionId: string;
  /** What the execution's data holds that could be taken for a secret. */
  guesses: readonly string[];
}

/** Each spelling under its name; none may open a question. */
export function forgedLinks(known: Knowledge): Array<[name: string, address: string]> {
  const { url, executionId, token, nodeId, otherNodeId, otherExecutionId, guesses } = known;
  const at = (path: string, query: string) => `${url}/webhook-waiting/${path}?${query}`;
  const encoded = Array.from(nodeId, (one) => `%${one.charCodeAt(0).toString(16)}`).join('');
  const behind = `signature=${token}/${nodeId}`;
  return [
    ['the token in the path of the node', at(`${executionId}/${nodeId}`, `signature=${token}`)],
    ['the node behind the token', at(executionId, behind)],
    ['the node behind the token, encoded', at(executionId, `signature=${token}%2F${nodeId}`)],
    ['the node behind the token, encoded twice', at(executionId, `signature=${token}%252F${nodeId}`)],
    ['the node behind the token, each letter encoded', at(executionId, `signature=${token}/${encoded}`)],
    ['the parameter encoded', at(executionId, `%73ignature=${token}/${nodeId}`)],
    ['two slashes', at(executionId, `signature=${token}//${nodeId}`)],
    ['a slash at the end', at(executionId, `${behind}/`)],
    ['a slash before the query', at(`${executionId}/`, behind)],
    ['the parameter doubled', at(executionId, `${behind}&${behind}`)],
    ['the parameter as a list', at(executionId, `signature[]=${token}/${nodeId}`)],
    ['the token in another parameter', at(executionId, `token=${token}/${nodeId}&${behind}&signature=`)],
    ['the first person, as links once said', at(executionId, `${behind}&r=0`)],
    ['the second person, as links once said', at(executionId, `${behind}&r=1`)],
    ['the gateway, as links once said', at(executionId, `${behind}&r=g`)],
    ['an empty secret', at(executionId, `${behind}&k=`)],
    ['the token as the secret', at(executionId, `${behind}&k=${token}`)],
    ['the start of the token as the secret', at(executionId, `${behind}&k=${token.slice(0, 16)}`)],
    ['secrets as a list', at(executionId, `${behind}&k[]=${token.slice(0, 16)}&k[]=x`)],
    ['the encoded path', at(`${executionId}/${encoded}`, behind)],
    ['another node in the path', at(`${executionId}/${otherNodeId}`, behind)],
    ['another node behind the token', at(executionId, `signature=${token}/${otherNodeId}`)],
    ['another execution', at(otherExecutionId, behind)],
    ['the address of forms', at(executionId, behind).replace('/webhook-waiting/', '/form-waiting/')],
    ...guesses.map((guess) => guessedLink(known, guess)),
  ];
}

/** The node behind the token, with a guess as the secret. */
export const guessedLink = (
  { url, executionId, token, nodeId }: Knowledge,
  guess: string,
): [name: string, address: string] => [
  `"${guess}" as the secret`,
  `${url}/webhook-waiting/${executionId}?signature=${token}/${nodeId}&k=${guess}`,
];
