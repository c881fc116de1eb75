import { endpointUrl } from '../../../nodes/gateway/client/addresses.ts';

const credentials = { mcpUrl: 'https://mcp.example.com/gateway' };

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

  it.each([
    ['', "'Base URL' of the credential is empty", "No request was made. Open the credential and fill in 'Base URL'."],
    [' ', "'Base URL' of the credential is empty", "No request was made. Open the credential and fill in 'Base URL'."],
    [5, "'Base URL' of the credential is empty", "No request was made. Open the credential and fill in 'Base URL'."],
    [
      'x',
      "'Base URL' of the credential is not a web address",
      "No request was made. Open the credential and fill in 'Base URL' with an address that starts with https:// or http://, for example https://api.example.com.",
    ],
  ])('says of %j what to do', (baseUrl, message, description) => {
    expect(endpointUrl({ baseUrl }, 'sync')).toEqual({ ok: false, message, description });
  });

  it('finds the asynchronous endpoint, and those of the connector', () => {
    const url = 'https://api.example.com/v1/json';
    expect(endpointUrl({ asyncUrl: 'https://api.example.com' }, 'async')).toEqual({ ok: true, url });
    expect(endpointUrl(credentials, 'connector')).toEqual({
      ok: true,
      url: 'https://mcp.example.com/gateway/mcp',
    });
    expect(endpointUrl(credentials, 'health')).toEqual({
      ok: true,
      url: 'https://mcp.example.com/gateway/health',
    });
  });
});
