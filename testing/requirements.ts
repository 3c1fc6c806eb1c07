/**
 * The security requirements of Signet, in short. `npm run requirements` lists the tests that cite each number in their
 * names; `src/guarantees/safety.test.ts` rejects a requirement that is marked as proven without a test.
 */
export type RequirementState =
  | 'proven'
  /** The missing part. */
  | { partial: string }
  /** The replacement. */
  | { replaced: string }

export interface Requirement {
  number: string
  text: string
  state: RequirementState
}

const proven = (number: string, text: string): Requirement => ({ number, text, state: 'proven' })
const partial = (number: string, text: string, missing: string): Requirement => ({
  number,
  text,
  state: { partial: missing },
})
const replaced = (number: string, text: string, by: string): Requirement => ({ number, text, state: { replaced: by } })

const tenancy = [
  proven('R-TEN-01', 'Each call says who may make it; one that does not stops the start'),
  proven('R-TEN-02', 'Foreign and missing things look the same, and asking for them changes nothing'),
  proven('R-TEN-03', 'Whose data it is comes from the session; ids are looked up under it'),
  replaced(
    'R-TEN-04',
    'Row-level security in PostgreSQL',
    'the generated authorization matrix, which holds on both engines',
  ),
  proven('R-TEN-05', 'Unknown fields are rejected; replies name every field that they may have'),
  proven('R-TEN-06', 'A reseller sees own licenses and their users, in assigned apps'),
  proven('R-TEN-07', 'X-App-Id decides which app a tab acts on; contradictions are rejected'),
  proven('R-TEN-08', 'A username is one within its app, whatever its case, and never crosses apps'),
  proven('R-TEN-09', 'What is for administrators rejects everyone else on the server'),
  proven('R-TEN-10', 'Deleting an owner or an app leaves no row behind, and goes on after a crash'),
]

const sessions = [
  proven('R-SES-01', 'Session tokens have 256 random bits and are stored as hashes'),
  proven('R-SES-02', 'Cookies are __Host-, Secure, HttpOnly, SameSite=Lax'),
  proven('R-SES-03', 'Signing in, a second factor and a new password each start a new session'),
  proven('R-SES-04', 'Sessions end: an hour idle, the set hours in all, 30 days when remembered'),
  proven('R-SES-05', 'Signing out, deleting, banning and new passwords end sessions at once'),
  proven('R-SES-06', 'Sessions are listed by handle, and only their owner can end them'),
  proven('R-SES-07', 'An account has at most 50 sessions'),
  proven('R-SES-08', 'Delicate calls need a proof of identity of the last five minutes'),
  proven('R-SES-09', 'Missing, ended and forged sessions hear the same'),
  proven('R-SES-10', 'Signing out clears what the browser stores of the session'),
]

const csrf = [
  proven('R-CSRF-01', 'Calls that change something carry a token bound to their session'),
  proven('R-CSRF-02', 'Each reply carries a valid token, and parallel calls may share one'),
  proven('R-CSRF-03', 'Calls that another site made the browser send are rejected'),
  proven('R-CSRF-04', 'Bodies are JSON and nothing else'),
  proven('R-CSRF-05', 'GET changes nothing'),
  proven('R-CSRF-06', 'The website API lets no other origin read it'),
]

const signIn = [
  proven('R-AUTH-01', 'Failed sign-ins are counted by account and network, before the password is checked'),
  proven('R-AUTH-02', 'A cooldown looks the same whether the account exists or not'),
  proven('R-AUTH-03', 'Strangers can not lock an owner out'),
  proven('R-AUTH-04', 'Wrong name and wrong password take as long'),
  proven('R-AUTH-05', 'End users and seller keys are limited likewise'),
  proven('R-AUTH-06', 'Passwords are Argon2id, dearer for owners'),
  proven('R-AUTH-07', 'Hashing waits in a short queue; a flood hears 503'),
  proven('R-AUTH-08', 'Passwords have 8 to 256 characters of any script'),
  proven('R-AUTH-09', 'Passwords that are easily guessed are rejected'),
  proven('R-AUTH-10', 'A forgotten password is reset by a link that counts once'),
  proven('R-AUTH-11', 'Administrators start a reset and never see a password'),
  proven('R-AUTH-12', 'Changes of the account and new devices are mailed'),
  proven('R-AUTH-13', 'There is no default account; the first link makes one administrator'),
  proven('R-AUTH-14', 'A banned owner, the keys and the programs stop on their next call'),
]

const secondFactor = [
  proven('R-2FA-01', 'TOTP of RFC 6238 with a 160-bit secret, sealed and shown once'),
  proven('R-2FA-02', 'A code counts once, in parallel too'),
  proven('R-2FA-03', 'Five wrong codes lock the second factor for 15 minutes'),
  proven('R-2FA-04', 'Ten recovery codes, hashed, each good once'),
  proven('R-2FA-05', 'Turning it off needs proof; turning it on again makes a new secret'),
  proven('R-2FA-06', 'A password alone opens nothing where a second factor is on'),
]

const programs = [
  proven('R-CLI-01', 'Answers to programs are signed over the whole request and answer, errors too'),
  proven('R-CLI-02', 'A client rejects every answer that was changed or belongs elsewhere'),
  proven('R-CLI-03', 'A nonce counts once in its session, in parallel too'),
  proven('R-CLI-04', "A program's clock may be two minutes off, and hears the right time"),
  proven('R-CLI-05', 'Session tokens are hashed and bound to app and machine; one for each credential if wanted'),
  proven('R-CLI-06', 'Bans, pauses, ends and switches act on the next call'),
  proven('R-CLI-07', 'Signing keys rotate with an overlap, vouched for by the root key'),
  proven('R-CLI-08', 'Hardware ids are stored as a keyed hash, and compared as one'),
  proven('R-CLI-09', 'A wrong program hash is rejected and alerted, and said to be forgeable'),
  proven('R-CLI-10', 'Both obfuscation keys may be published'),
  proven('R-CLI-11', 'No private key is in the snippets or the clients'),
  proven('R-CLI-12', 'All clients pass one file of vectors'),
]

const licenses = [
  proven('R-LIC-01', 'Redeeming is one conditional change in the transaction that makes the user'),
  proven('R-LIC-02', 'Redeeming beside deleting, banning and redeeming ends in legal states only'),
  proven('R-LIC-03', 'A failed registration leaves the license unused'),
  proven('R-LIC-04', 'Keys are unique in their app and can not be guessed'),
  proven('R-LIC-05', 'The limits of a plan hold under parallel calls'),
  proven('R-LIC-06', 'Time saturates instead of overflowing; odd numbers are rejected'),
  proven('R-LIC-07', 'Acts on many rows report what was done and can be resumed'),
]

const credits = [
  proven('R-LED-01', 'Credits always add up'),
  proven('R-LED-02', "A reseller's license is paid in the same transaction"),
  proven('R-LED-03', 'Amounts are whole numbers within bounds'),
  proven('R-LED-04', 'A refund happens once, of the price that was paid'),
  proven('R-LED-05', 'Setting credits is a transfer of the difference'),
  proven('R-LED-06', 'Accounts are locked in one order'),
  proven('R-LED-07', 'An Idempotency-Key gives one deed and the same reply'),
  proven('R-LED-08', 'No account is hot for all resellers'),
  proven('R-LED-09', 'Closing a reseller settles the credits'),
]

const sellerKeys = [
  proven('R-SK-01', 'No dump and no log has a usable key'),
  proven('R-SK-02', 'A key in a URL is rejected and marked as exposed'),
  proven('R-SK-03', 'A key does what its scopes allow'),
  proven('R-SK-04', 'A key works from its addresses alone, however they are written'),
  proven('R-SK-05', 'Pausing and deleting act at once; uses are written down sparingly'),
  proven('R-SK-06', 'Calls of a key and wrong keys are limited; secrets are compared in constant time'),
]

const outgoing = [
  proven('R-WHK-01', 'Only https and usual ports'),
  proven('R-WHK-02', 'Only public addresses, checked where the socket connects'),
  proven('R-WHK-03', 'Redirects are failures'),
  proven('R-WHK-04', 'No disguised address is reached'),
  proven('R-WHK-05', 'Failures tell nothing of the network'),
  proven('R-WHK-06', 'Deliveries are signed'),
  proven('R-WHK-07', 'Deliveries are retried from an outbox; an owner is mailed when one is stopped'),
  proven('R-WHK-08', 'Deliveries are bounded in time, size and number'),
  proven('R-WHK-09', 'Chat links use the same sender and mention nobody'),
  partial(
    'R-WHK-10',
    'The network rejects private addresses as well',
    'loopback, where PostgreSQL may be; and loading docs/signet.nft is up to who operates the server',
  ),
]

const files = [
  proven('R-UP-01', 'Uploads are cut at their limit'),
  proven('R-UP-02', 'Quota is reserved before the upload'),
  proven('R-UP-03', 'Stored names are random'),
  proven('R-UP-04', 'Files come back as attachments'),
  proven('R-UP-05', 'No name escapes its folder or header'),
  proven('R-UP-06', 'Files can be scanned, and nobody gets one that was not found clean'),
  proven('R-UP-07', 'Hashes are stored; private files need a session'),
  proven('R-UP-08', 'Ranges and counts are right'),
]

const input = [
  proven('R-HDR-01', 'A strict policy: the dashboard runs its own files and no inline script but that of its build'),
  proven('R-HDR-02', 'Security headers stand on every answer; nothing of the API is stored'),
  proven('R-HDR-03', 'TLS 1.2 or newer'),
  proven('R-HDR-04', 'Failures show a request id and nothing of our insides'),
  proven('R-INP-01', 'Values reach SQL as parameters only'),
  proven('R-INP-02', 'JSON is bounded in size, depth and keys, without duplicates'),
  proven('R-INP-03', 'No cell of an export starts a formula'),
  proven('R-INP-04', 'Colors and addresses of a brand are checked'),
  proven('R-INP-05', 'Patterns are linear and input is capped first'),
]

const limits = [
  proven('R-RATE-01', 'Sessions, keys and programs have limits of their own'),
  proven('R-RATE-02', 'A limit answers 429 with Retry-After; running programs count for themselves'),
  proven('R-RATE-03', 'An address is what trusted proxies say; an IPv6 network counts as one'),
  proven('R-RATE-04', 'A day of normal use stays below the limits'),
]

const records = [
  proven('R-LOG-01', 'Sign-ins, denied access and every change leave an audit row'),
  proven('R-LOG-02', 'The audit only grows, and a chain of hashes shows what the database was made to change'),
  proven('R-LOG-03', 'No secret is logged'),
  proven('R-LOG-04', 'No value forges a line of the log'),
  proven('R-SEC-01', 'Secrets are sealed to their place with a key outside the database'),
  proven('R-SEC-02', 'Wrong settings stop the start'),
  proven('R-BAK-01', 'Backups are encrypted and restored in a drill'),
  proven('R-PII-01', 'Deleting an account or user removes what is personal; addresses go after a time'),
  proven('R-PII-02', "An owner can export an app's data"),
  partial(
    'R-SUP-01',
    'Packages come locked from the npm registry, scripts by approval, with a bill of materials',
    'hashes of build tools for other platforms, which npm leaves out (exact versions pin them), and npm audit, which asks the registry',
  ),
  proven('R-SUP-02', 'Everything runs on a supported Node that the lock file pins'),
]

export const requirements: readonly Requirement[] = [
  ...tenancy,
  ...sessions,
  ...csrf,
  ...signIn,
  ...secondFactor,
  ...programs,
  ...licenses,
  ...credits,
  ...sellerKeys,
  ...outgoing,
  ...files,
  ...input,
  ...limits,
  ...records,
]
