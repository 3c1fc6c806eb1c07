import type { Mutant } from './mutant.ts'

const credits = 'src/features/credits'
const resellers = 'src/features/resellers'
const own = 'src/features/reseller-api'
const ledger = [`${own}/ledger.test.ts`]
const branding = ['src/features/branding/api/get-branding.test.ts']
const sessions = [`${own}/api/reseller-session.test.ts`]

/** Resellers and their credits. */
export const resellerMutants: readonly Mutant[] = [
  {
    guarantee: 'nobody sells what the credits do not pay for (R-LED-01)',
    file: `${credits}/credits.actions.ts`,
    search: "if (balance < cost) refuse(creditsRefusals, 'CREDITS_MISSING', { values: { cost, balance } })",
    replacement: '',
    tests: ledger,
    // SQLite's one writer has looked at the balance before it makes the licenses.
    engine: 'postgres',
  },
  {
    guarantee: 'a refund is of the price that was paid, to the reseller (R-LED-04)',
    file: `${credits}/credits.actions.ts`,
    search: 'const isRefunded = ({ used }: PaidLicense) => refund && locked?.closed === false && used === 0',
    replacement: 'const isRefunded = ({ used }: PaidLicense) => refund && locked?.closed === false && used >= 0',
    tests: ledger,
  },
  {
    guarantee: 'what is not refunded leaves what was spent (R-LED-01)',
    file: `${credits}/credits.actions.ts`,
    search: '...(gone > 0 ? [settlement] : [])',
    replacement: '...(gone < 0 ? [settlement] : [])',
    tests: ledger,
  },
  {
    guarantee: 'credits that are set move by the difference (R-LED-05)',
    file: `${credits}/credits.actions.ts`,
    search: 'difference: amount - balances.balance, description',
    replacement: 'difference: amount, description',
    tests: ledger,
  },
  {
    guarantee: 'accounts are locked before their balance counts (R-LED-06)',
    file: `${credits}/credits.writes.ts`,
    search: 'await locking(trx, query).execute()',
    replacement: 'await query.execute()',
    tests: ledger,
    engine: 'postgres',
  },
  {
    guarantee: 'with an app its credits go back (R-LED-09)',
    file: `${resellers}/resellers.actions.ts`,
    search: 'const left = await closeCredits(tx, { ...assigned.scope, now: context.now })',
    replacement: 'const left = 0',
    tests: ledger,
  },
  {
    guarantee: 'a license remembers what it cost (R-LED-04)',
    file: `${resellers}/resellers.actions.ts`,
    search: 'resellerId: reseller.id, price }',
    replacement: 'resellerId: reseller.id }',
    tests: ledger,
  },
  {
    guarantee: 'amounts of credits are numbers, not texts of them (R-LED-03)',
    file: 'src/server/input-reader.ts',
    search: 'if (exact) return undefined',
    replacement: '',
    tests: ledger,
  },
  {
    guarantee: 'a reseller deletes own licenses alone (R-TEN-06)',
    file: `${own}/reseller-api.actions.ts`,
    search: "if (license.reseller_id !== actor.id) refuse(licensesRefusals, 'LICENSE_NOT_FOUND')",
    replacement: '',
    tests: sessions,
  },
  {
    guarantee: 'a reseller resets machines of own customers alone (R-TEN-06)',
    file: `${own}/reseller-api.reads.ts`,
    search: ".where('licenses.reseller_id', '=', resellerId)",
    replacement: '',
    tests: sessions,
  },
  {
    guarantee: 'an app that was taken away is gone on the next call (R-TEN-06)',
    file: `${resellers}/resellers.sign-in.ts`,
    search: 'if (!app || !(await findAssignment(db.read, { appId: app.id, resellerId }))) return null',
    replacement: 'if (!app) return null',
    tests: sessions,
  },
  {
    guarantee: 'a ban ends the sessions of a reseller',
    file: `${resellers}/resellers.sign-in.ts`,
    search: 'session.banned === 1 || session.owner_banned === 1 || ',
    replacement: '',
    tests: sessions,
  },
  {
    guarantee: 'a set-up link works once',
    file: `${resellers}/resellers.sign-in.ts`,
    search: 'password_hash: passwordHash, setup_token_hash: null, setup_expires_at: null }',
    replacement: 'password_hash: passwordHash }',
    tests: sessions,
  },
  {
    guarantee: 'a set-up link ends after seven days',
    file: `${resellers}/resellers.sign-in.ts`,
    search: ' || (reseller.setup_expires_at ?? 0) <= now)',
    replacement: ')',
    tests: sessions,
  },
  {
    guarantee: 'a repeated refund has the answer of the first (R-LED-07)',
    file: `${own}/reseller-api.contract.ts`,
    search: "idempotent: true,\n    summary:\n      'Delete an own",
    replacement: "summary:\n      'Delete an own",
    tests: ledger,
  },
  {
    guarantee: 'a reseller finds own users alone (R-TEN-06)',
    file: `${own}/reseller-api.reads.ts`,
    search: ".where('licenses.reseller_id', '=', own.resellerId)\n        .where('licenses.used', '=', 1)",
    replacement: ".where('licenses.used', '=', 1)",
    tests: [`${own}/api/reseller-users.test.ts`],
  },
  {
    guarantee: 'only a proved domain has a brand',
    file: `${resellers}/resellers.reads.ts`,
    search: "    .where('reseller_domains.proved_at', 'is not', null)\n",
    replacement: '',
    tests: branding,
  },
  {
    guarantee: 'a brand stays text in the page (R-HDR-01)',
    file: 'src/server/dashboard-files.ts',
    search: 'attributeText(JSON.stringify(brand))',
    replacement: 'JSON.stringify(brand)',
    tests: branding,
  },
]
