/** Advice that more than one entry of the catalogue gives. */
export const ADVICE = {
  unreadable:
    'The gateway only reads JSON that is marked as such (Content-Type: application/json). This node sends both, so something between n8n and the gateway, such as a proxy, changes the request. Check the addresses in the credential and any proxy on the way.',
  rateLimit:
    "Wait a moment and run it again; raise 'Batch Interval (Ms)' or lower 'Parallel Requests' in 'Options' to stay below the limit.",
  tooLarge: "Lower 'Batch Size' in 'Options', so that each request carries fewer items.",
  compareAddresses:
    "Compare 'Base URL' and 'Async URL' of the credential with the gateway's documentation: the server's address alone, with https:// in front.",
} as const;
