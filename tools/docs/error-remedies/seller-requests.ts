import {
  callsWithBody,
  callsWithFields,
  everyCall,
  hashingCalls,
  idempotentCalls,
  type SellerRemedies,
} from './seller-calls.ts'

/** The key, the form of a request, and the server itself. */
export const sellerRequests = {
  SELLER_KEY_INVALID: {
    calls: everyCall,
    cause:
      'The request carries no valid seller key: the `Authorization` header is missing or has another form, or the key is mistyped, deleted, or was rotated and its overlap has ended.',
    remedy:
      'Send `Authorization: Bearer lk_live_…` with the whole key. A key is shown only once: if you have lost it, choose **Rotate** on **Seller API** and put the new key into your integration. After 20 wrong keys in a minute, a network gets `RATE_LIMITED`.',
  },
  ACCOUNT_BANNED: {
    calls: everyCall,
    cause: 'The account that owns the seller key is banned on this server. All of its keys and programs are rejected.',
    remedy:
      'Ask an administrator of the server, who can unban the account on **Manage Owners**. The key then works again as before.',
  },
  SELLER_KEY_PAUSED: {
    calls: everyCall,
    cause: 'The seller key is paused, so every call with it is rejected.',
    remedy: 'Open **Seller API** and choose **Activate** for the key. **Audit** shows who paused it and when.',
  },
  SELLER_KEY_IP_REFUSED: {
    calls: everyCall,
    cause:
      "The seller key may be used only from certain addresses, and the request came from another one. Behind a proxy that the server doesn't trust, it is the address of the proxy.",
    remedy:
      'Open **Seller API**, choose **Edit**, and add the address of your integration, or its network such as `203.0.113.0/24`, to **Whitelisted IPs**. If the address is right, the operator checks `TRUSTED_PROXIES`.',
  },
  SCOPE_MISSING: {
    calls: everyCall,
    cause: 'The seller key lacks the permission that this call needs. `scope` in the answer names it.',
    remedy:
      'Open **Seller API**, choose **Edit**, and select the permission. Give each integration only what it needs.',
  },
  SELLER_KEY_IN_URL: {
    calls: everyCall,
    cause:
      'The address of the request contains a seller key, or a parameter with a name such as `key` or `token`. Addresses end up in logs and histories, so a key that was sent there is marked as exposed.',
    remedy:
      'Send the key in the `Authorization` header. If **Seller API** shows the key as **Exposed**, choose **Rotate** and use the new one.',
  },
  APP_NOT_FOUND: {
    calls: everyCall,
    cause: 'The app of this seller key was deleted. As soon as its data is removed, its keys get `SELLER_KEY_INVALID`.',
    remedy: 'Create a key for the app that you want to use, on **Seller API**. Each key belongs to one app.',
  },
  NOT_FOUND: {
    calls: [],
    cause: 'The server has no call at this address, or not with this method. Nothing was done.',
    remedy:
      'Compare method and path with [the seller API](../../seller-api.md). Encode what you put into a path: a `/` or `#` in a license key or a username ends the path too early.',
  },
  INVALID_REQUEST: {
    calls: everyCall,
    cause:
      'A field has the wrong type or form, for example a text where `true` or `false` belongs. `field` in the answer names it.',
    remedy:
      "Correct the field. The types of all fields are in the server's OpenAPI document at `/api/1.0/seller/openapi.json`.",
  },
  FIELD_REQUIRED: {
    calls: callsWithFields,
    cause: 'A field that the call needs is missing or empty. `field` in the answer names it.',
    remedy:
      'Send the field. Check that your integration sends JSON with `Content-Type: application/json`, and not an empty body.',
  },
  FIELD_UNKNOWN: {
    calls: everyCall,
    cause:
      'The request has a field that the call does not know; `field` names it. Unknown fields are rejected, so that a misspelled one is never ignored. Nothing was done.',
    remedy:
      'Correct the name of the field, or leave it out. A seller key has one app, so `appId` and `appName` are not fields of these calls.',
  },
  FIELD_TWICE: {
    calls: callsWithFields,
    cause: 'The request has two names of the same field with different values, for example `level` and `subscription`.',
    remedy: 'Send one of them. Both names mean the same, so it does not matter which.',
  },
  FIELD_REPEATED: {
    calls: callsWithBody,
    cause: 'The body contains the same field twice. Which one counts would depend on the reader, so neither does.',
    remedy: 'Make the JSON with a library instead of joining texts, and send each field once.',
  },
  TEXT_TOO_LONG: {
    calls: callsWithFields,
    cause:
      'A text has more characters than its field can have. `field` in the answer names it, and the message the maximum.',
    remedy: 'Shorten the text. The lengths of all fields are in [Limits](../limits.md).',
  },
  NUMBER_TOO_SMALL: {
    calls: callsWithFields,
    cause: 'A number is below the minimum of its field. `field` in the answer names it, and the message the minimum.',
    remedy: 'Send a larger number. Pages and levels start at 1.',
  },
  NUMBER_TOO_LARGE: {
    calls: callsWithFields,
    cause: 'A number is above the maximum of its field. `field` in the answer names it, and the message the maximum.',
    remedy: 'Send a smaller number. A page of a list has at most 100 rows: ask for the next `page` instead.',
  },
  INTEGER_REQUIRED: {
    calls: callsWithFields,
    cause: 'A number has decimals, or a text is not a number. `field` in the answer names it.',
    remedy: 'Send a whole number, such as `30`. A number can also be sent as text, such as `"30"`.',
  },
  CHARACTER_NOT_ALLOWED: {
    calls: callsWithFields,
    cause: 'A text contains the character U+0000, which no database stores. It usually comes from binary data.',
    remedy: 'Remove the character, or encode binary data, for example as base64.',
  },
  INVALID_JSON: {
    calls: callsWithBody,
    cause:
      'The body is not valid JSON. Common reasons are single quotes, a comma at the end, and a body that was cut off.',
    remedy: 'Make the JSON with a library, and send it in UTF-8 with `Content-Type: application/json`.',
  },
  JSON_TOO_COMPLEX: {
    calls: callsWithBody,
    cause: 'The body has more than 20 levels of objects and lists, or more than 1,000 fields.',
    remedy: 'Send only the fields of the call. No call of the seller API needs nested objects.',
  },
  BODY_TOO_LARGE: {
    calls: callsWithBody,
    cause: 'The body of the request is larger than the call allows, or than **Max request size** of the server.',
    remedy: 'Send less in one request. The sizes are in [Limits](../limits.md).',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    calls: callsWithBody,
    cause: 'The body has a content type that the call does not accept.',
    remedy:
      'Send JSON with `Content-Type: application/json`. A shop that can only send forms can use `application/x-www-form-urlencoded`. A file is uploaded as `multipart/form-data`.',
  },
  BAD_REQUEST: {
    calls: everyCall,
    cause:
      'The request is not valid HTTP, its headers are too large, or its body ended early. The status can also be 408, 413, or 431.',
    remedy:
      'Look at the HTTP library or the proxy that sends the request. A library with its defaults sends valid requests.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    calls: idempotentCalls,
    cause:
      'The header `Idempotency-Key` is empty, has more than 200 characters, or contains other characters than printable ASCII.',
    remedy: 'Send a key that identifies the order, such as `order-1001`, or a UUID.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    calls: idempotentCalls,
    cause: 'This `Idempotency-Key` was used for a request with other fields or for another call. Nothing was done.',
    remedy:
      'Use a new key for a new order. To repeat an order, send exactly the same request: then you get the same reply, and nothing happens twice. Replies are kept for at least 24 hours.',
  },
  MAINTENANCE: {
    calls: everyCall,
    cause: 'An administrator has turned on maintenance mode. The message is the one that the administrator wrote.',
    remedy:
      'Repeat the request later, with the same `Idempotency-Key`. An administrator turns off **Maintenance mode** in **System Settings**.',
  },
  RATE_LIMITED: {
    calls: everyCall,
    cause:
      'The seller key has used up its calls of this minute or this hour, or its network has sent too many wrong keys. `RateLimit-Remaining` in every reply says how many calls are left.',
    remedy:
      'Wait for the seconds in `Retry-After`, then repeat the request. Create many licenses with one call instead of one each. Administrators set both limits in **System Settings**.',
  },
  SERVER_BUSY: {
    calls: hashingCalls,
    cause:
      'The server is hashing as many passwords of your users as it does at once, or as many of all users as it can. Nothing was done.',
    remedy:
      'Repeat the request after the seconds in `Retry-After`. When you import users, send one request after the other.',
  },
  DATABASE_UNAVAILABLE: {
    calls: everyCall,
    cause:
      "The server can't reach its database. If the connection broke at the very end of the call, the call may have been done.",
    remedy:
      'Repeat the request after the seconds in `Retry-After`, with the same `Idempotency-Key`, so that nothing happens twice.',
  },
  INTERNAL_ERROR: {
    calls: everyCall,
    cause: 'The server met an error that it did not expect. The transaction was rolled back.',
    remedy:
      "Repeat the request once. If it fails again, send the `requestId` of the reply to the operator, who finds the cause in the server's log.",
  },
} as const satisfies SellerRemedies
