import { authenticateRequest } from '../../../nodes/n8n/authenticate.ts';

const KEY = 'key-for-tests';
const credentials = {
  apiKey: `\t${KEY}\r\n`,
  baseUrl: 'https://api.example.com/',
  asyncUrl: 'https://async.example.com/v1/json',
  mcpUrl: 'https://mcp.example.com/gateway',
};

describe('the API key, which somebody pasted with blanks around it', () => {
  it.each([['https://api.example.com/api/json.php'], ['https://async.example.com/v1/json']])(
    'goes into the body of a request to %s, and nowhere else',
    (url) => {
      const request = authenticateRequest(credentials, { url, body: { data: [{ type: 'balance' }] } });
      expect(request.body).toEqual({ auth: KEY, data: [{ type: 'balance' }] });
      expect(JSON.stringify({ ...request, body: undefined })).not.toContain(KEY);
    },
  );

  it('goes into the body of the HTTP Request node, whose address is "uri" and whose body may be a text', () => {
    const uri = 'https://api.example.com/api/json.php';
    const request = authenticateRequest(credentials, { uri, body: '{"data":[]}' } as never);
    expect(JSON.parse(String(request.body))).toEqual({ auth: KEY, data: [] });
  });

  it('goes into the header of a request to the connector, and nowhere else', () => {
    const url = 'https://mcp.example.com/gateway/mcp';
    const request = authenticateRequest(credentials, { url, body: { id: 1 } });
    expect(request.headers).toEqual({ Authorization: `Bearer ${KEY}` });
    expect(JSON.stringify({ ...request, headers: undefined })).not.toContain(KEY);
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
