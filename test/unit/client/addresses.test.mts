import { endpointUrl } from '../../../nodes/gateway/client/addresses.ts';

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
    ['https://api.example.com/sms/v1/json', 'https://api.example.com/sms/api/json.php'],
    ['https://api.example.com/mcp/sms?a=1#b', 'https://api.example.com/mcp/sms/api/json.php?a=1'],
  ])('the base address %p gets the path of the endpoint', (baseUrl, url) => {
    expect(endpointUrl({ baseUrl }, 'sync')).toEqual({ ok: true, url });
  });

  it.each(['', ' ', undefined, 5])('says of %j that it is empty, and what to do', (baseUrl) => {
    const description = "No request was made. Open the credential and fill in 'API Address'.";
    const message = "'API Address' of the credential is empty";
    expect(endpointUrl({ baseUrl }, 'sync')).toEqual({ ok: false, message, description });
  });

  it.each(['api.example.com', 'ftp://api.example.com', 'https://'])('says of %j what to do', (asyncUrl) => {
    expect(endpointUrl({ asyncUrl }, 'async')).toEqual({
      ok: false,
      message: "'Queue Address' of the credential is not a web address",
      description:
        "No request was made. Open the credential and fill in 'Queue Address' with an address that starts with https:// or http://, for example https://api.example.com.",
    });
  });

  it('finds the asynchronous endpoint, and those of the connector', () => {
    const credentials = { asyncUrl: 'https://api.example.com', mcpUrl: 'https://mcp.example.com/gateway' };
    const found = (['async', 'connector', 'health'] as const).map((name) => endpointUrl(credentials, name));
    expect(found).toMatchObject([
      { url: 'https://api.example.com/v1/json' },
      { url: 'https://mcp.example.com/gateway/mcp' },
      { url: 'https://mcp.example.com/gateway/health' },
    ]);
  });
});
