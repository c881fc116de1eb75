/** What requests with the key look like where they arrive is in transports.test.mts. */
import { authenticateRequest } from '../../../nodes/n8n/authenticate.ts';

const KEY = 'key-for-tests';
const credentials = {
  apiKey: `\t${KEY}\r\n`,
  baseUrl: 'https://api.example.com/',
  asyncUrl: 'https://async.example.com/v1/json',
  mcpUrl: 'https://mcp.example.com/gateway',
};

describe('the API key, which somebody pasted with blanks around it', () => {
  it('goes into the body of the HTTP Request node, whose address is "uri" and whose body may be a text', () => {
    const uri = 'https://api.example.com/api/json.php';
    const request = authenticateRequest(credentials, { uri, body: '{"data":[]}' } as never);
    expect(JSON.parse(String(request.body))).toEqual({ auth: KEY, data: [] });
  });

  it('is not sent to /health, which asks for none', () => {
    const request = { url: 'https://mcp.example.com/gateway/health' };
    expect(JSON.stringify(authenticateRequest(credentials, request))).not.toContain(KEY);
  });

  it.each([
    ['https://evil.example.net/api/json.php'],
    ['https://api.example.com.evil.example.net/api/json.php'],
    ['https://api.example.com/other'],
    ['http://api.example.com/api/json.php'],
    ['https://api.example.com@evil.example.net/api/json.php'],
  ])('is not sent to %s', (url) => {
    expect(() => authenticateRequest(credentials, { url, body: {} })).toThrow('only sent to the addresses');
  });
});
