import { endpointUrl } from '../../../nodes/gateway/client/addresses.ts';
import { authenticateRequest } from '../../../nodes/n8n/authenticate.ts';

const KEY = 'key-for-tests';
const credentials = {
  apiKey: KEY,
  baseUrl: 'https://api.example.com/',
  asyncUrl: 'https://async.example.com/v1/json',
  mcpUrl: 'https://mcp.example.com/gateway',
};

describe('addresses of the endpoints', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com/api/json.php'],
    ['https://api.example.com/', 'https://api.example.com/api/json.php'],
    ['  https://api.example.com//  ', 'https://api.example.com/api/json.php'],
    ['https://api.example.com/api/json.php', 'https://api.example.com/api/json.php'],
    ['https://api.example.com/api/json.php/', 'https://api.example.com/api/json.php'],
    ['https://api.example.com/sms', 'https://api.example.com/sms/api/json.php'],
    ['http://127.0.0.1:8080/sms/', 'http://127.0.0.1:8080/sms/api/json.php'],
    ['https://api.example.com/mcp', 'https://api.example.com/api/json.php'],
  ])('reads %p', (baseUrl, url) => {
    expect(endpointUrl({ baseUrl }, 'sync')).toEqual({ ok: true, url });
  });

  it.each([[''], [undefined], ['api.example.com'], ['ftp://api.example.com'], ['https://']])(
    'refuses %p and names the field',
    (asyncUrl) => {
      const result = endpointUrl({ asyncUrl }, 'async');
      expect(result).toMatchObject({ ok: false, message: expect.stringContaining("'Async URL'") });
    },
  );

  it('finds the endpoints of the connector', () => {
    expect(endpointUrl(credentials, 'connector')).toEqual({ ok: true, url: 'https://mcp.example.com/gateway/mcp' });
    expect(endpointUrl(credentials, 'health')).toEqual({ ok: true, url: 'https://mcp.example.com/gateway/health' });
  });
});

describe('the API key', () => {
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
    const request = authenticateRequest(credentials, { url: 'https://mcp.example.com/gateway/mcp', body: { id: 1 } });
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
