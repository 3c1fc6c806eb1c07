import type { Mutant } from './mutant.ts'

const keys = 'src/features/seller-keys'
const identity = [`${keys}/seller-keys.identity.test.ts`]

/** Keys of shops and bots. */
export const sellerMutants: readonly Mutant[] = [
  {
    guarantee: 'a key needs its secret (R-SK-06)',
    file: `${keys}/seller-key-text.ts`,
    search: 'return current || (previous && (key.previous_until ?? 0) > now)',
    replacement: 'return current || previous || (key.previous_until ?? 0) > now',
    tests: [`${keys}/seller-key-text.test.ts`],
  },
  {
    guarantee: 'the key before a rotation ends with its overlap (R-SK-05)',
    file: `${keys}/seller-key-text.ts`,
    search: '(previous && (key.previous_until ?? 0) > now)',
    replacement: 'previous',
    tests: [...identity, `${keys}/api/rotate-seller-key.test.ts`],
  },
  {
    guarantee: 'a paused key is rejected (R-SK-05)',
    file: `${keys}/seller-keys.identity.ts`,
    search: "if (key.active !== 1) reject(sellerKeyErrors, 'SELLER_KEY_PAUSED')",
    replacement: '',
    tests: [`${keys}/api/toggle-seller-key-status.test.ts`],
  },
  {
    guarantee: 'the keys of a banned owner are rejected (R-AUTH-14)',
    file: `${keys}/seller-keys.identity.ts`,
    search: "if (await isAccountBanned(services.db.read, ownerId)) reject(sellerKeyErrors, 'ACCOUNT_BANNED')",
    replacement: '',
    tests: identity,
  },
  {
    guarantee: 'a key works only from its addresses (R-SK-04)',
    file: `${keys}/ip-list.ts`,
    search: 'return caller.match(network.address as never, network.bits)',
    replacement: 'return true',
    tests: [`${keys}/ip-list.test.ts`],
  },
  {
    guarantee: 'IPv4 inside IPv6 is that IPv4 (R-SK-04)',
    file: `${keys}/ip-list.ts`,
    search: 'const caller = ipaddr.process(ip)',
    replacement: 'const caller = ipaddr.parse(ip)',
    tests: [`${keys}/ip-list.test.ts`],
  },
  {
    guarantee: 'wrong keys are limited by network (R-SK-06)',
    file: `${keys}/seller-keys.identity.ts`,
    search: '  if (!key || !app) {\n    countWrongCall(services, ip)',
    replacement: '  if (!key || !app) {',
    tests: identity,
  },
  {
    guarantee: 'a key has a limit of calls (R-SK-06)',
    file: `${keys}/seller-keys.identity.ts`,
    search: '  await countCall(services, request, key)\n',
    replacement: '  void countCall\n',
    tests: identity,
  },
  {
    guarantee: 'a key does what its scopes allow and no more (R-SK-03)',
    file: 'src/server/http/guard.ts',
    search: 'scope !== undefined && (scopes.length === 0 || scopes.includes(scope))',
    replacement: 'scope !== undefined && scopes.length >= 0',
    tests: ['src/features/seller-api/seller-api.test.ts'],
  },
  {
    guarantee: 'a key that stood in a URL is marked (R-SK-02)',
    file: `${keys}/seller-keys.identity.ts`,
    search: 'await services.db.write((tx) => recordExposure(tx.db, key, epochSeconds(services)))',
    replacement: '',
    tests: identity,
  },
  {
    guarantee: 'secrets of keys are stored hashed (R-SK-01)',
    file: `${keys}/seller-key-text.ts`,
    search: "createHash('sha256').update(secret).digest('base64url')",
    replacement: '(createHash, secret)',
    tests: [...identity, `${keys}/api/create-seller-key.test.ts`],
  },
  {
    guarantee: 'variables of users need a scope of their own',
    file: 'src/features/seller-api/seller-users.reply.ts',
    search: "hasScope(actor, 'variables:read')",
    replacement: "hasScope(actor, 'users:read')",
    tests: ['src/features/seller-api/further-scopes.test.ts'],
  },
]
