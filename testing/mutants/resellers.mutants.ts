import type { Mutant } from './mutant.ts'

const credits = 'src/features/credits'
const resellers = 'src/features/resellers'
const own = 'src/features/reseller-api'
const ledger = [`${own}/ledger.test.ts`]
const branding = ['src/features/branding/api/get-branding.test.ts']
const countsMigration = 'src/database/migrations/034-counts-of-resellers.ts'
const counts = [`${own}/reseller-counts.test.ts`]
const domainActions = `${resellers}/reseller-domains.actions.ts`
const domains = [`${resellers}/api/reseller-domain.test.ts`]
const domainChecks = [`${resellers}/domain-checks.test.ts`]
const autosave = `${resellers}/web/use-app-config.ts`
const detailScreen = [`${resellers}/reseller-detail.e2e.ts`]
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
    search: ".where('reseller_id', '=', resellerId)\n    .where('used', '=', 1)",
    replacement: ".where('used', '=', 1)",
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
    search: "        .where('reseller_users.reseller_id', '=', own.resellerId)\n",
    replacement: '',
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
  {
    guarantee: "counts of a reseller's licenses follow a ban",
    file: countsMigration,
    search: 'and (old.used <> new.used or old.banned <> new.banned or old.reseller_id is not new.reseller_id) begin',
    replacement: 'and (old.used <> new.used or old.reseller_id is not new.reseller_id) begin',
    tests: counts,
  },
  {
    guarantee: "counts of a reseller's licenses follow a delete",
    file: countsMigration,
    search: "${countLicense('old', -1)} ${removeRedeemer}",
    replacement: '${removeRedeemer}',
    tests: counts,
  },
  {
    guarantee: "a user counts among a reseller's until the last license is gone",
    file: countsMigration,
    search: 'when old.licenses > 0 and new.licenses <= 0 begin',
    replacement: 'when old.licenses > 0 and new.licenses < 0 begin',
    tests: counts,
  },
  {
    guarantee: "a user of two licenses counts once among a reseller's, on PostgreSQL",
    file: countsMigration,
    search: 'where licenses > 0 group by 1, 2, 3, 4 having sum(n) <> 0',
    replacement: 'where n > 0 group by 1, 2, 3, 4 having sum(n) <> 0',
    tests: counts,
    engine: 'postgres',
  },
  {
    guarantee: "a user who is deleted counts among no reseller's",
    file: countsMigration,
    search: 'delete from reseller_users where app_id = old.app_id and user_id = old.id;',
    replacement: 'select 1;',
    tests: counts,
  },
  {
    guarantee: 'counts of resellers are filled from the licenses that are there',
    file: countsMigration,
    search: 'where l.reseller_id is not null and l.used = 1 group by 1, 2, 3;',
    replacement: 'where l.reseller_id is not null and l.banned = 1 group by 1, 2, 3;',
    tests: ['src/database/migrate.test.ts'],
  },
  {
    guarantee: "a reseller's list counts licenses alone, not who redeemed them",
    file: 'src/features/licenses/licenses.reads.ts',
    search: 'licenses: sum((counted) => counted < redeemersCounted)',
    replacement: 'licenses: sum((counted) => counted <= redeemersCounted)',
    tests: counts,
  },
  {
    guarantee: 'a domain is proved by its own record alone',
    file: domainActions,
    search: 'if (!texts.includes(proofText(row.proof))) {',
    replacement: 'if (!texts.some((text) => text.startsWith(proofText(row.proof.slice(0, 8))))) {',
    tests: domains,
  },
  {
    guarantee: 'another domain is to be proved anew',
    file: domainActions,
    search: 'proved_at: isSame ? current.proved_at : null,',
    replacement: 'proved_at: current?.proved_at ?? null,',
    tests: domains,
  },
  {
    guarantee: 'nobody loses a domain whose record still stands',
    file: domainActions,
    search: "if (texts.includes(proofText(other.proof))) refuse(resellersRefusals, 'DOMAIN_TAKEN')",
    replacement: '',
    tests: domains,
  },
  {
    guarantee: 'who loses a domain finds it in the own audit, not in that of who has it now',
    file: domainActions,
    search: 'target: username, ownerId, details })',
    replacement: 'target: username, details })',
    tests: domainChecks,
  },
  {
    guarantee: 'name servers that do not answer take no domain away',
    file: `${resellers}/domain-checks.ts`,
    search: '    return null\n  })',
    replacement: '    return []\n  })',
    tests: domainChecks,
  },
  {
    guarantee: 'a record that comes back forgets that it was missing',
    file: `${resellers}/domain-checks.ts`,
    search: 'const missingSince = isProved ? null : ',
    replacement: 'const missingSince = ',
    tests: domainChecks,
  },
  {
    guarantee: 'a proved domain is lost only after seven days without its record',
    file: `${resellers}/domain-checks.ts`,
    search: 'now - missingSince >= proofLossSeconds',
    replacement: 'now - missingSince >= daySeconds',
    tests: domainChecks,
  },
  {
    guarantee: 'an edit of plans that somebody else changed meanwhile is refused',
    file: `${resellers}/resellers.actions.ts`,
    search: '{ before: listsBefore, change: { ...lists, allowedSubscriptions } }',
    replacement: '{ before: undefined, change: { ...lists, allowedSubscriptions } }',
    tests: [`${resellers}/api/reseller-apps.test.ts`],
  },
  {
    guarantee: 'autosave: what the server refuses is loaded again and said',
    file: autosave,
    search: 'await refreshResellers()',
    replacement: '',
    tests: detailScreen,
  },
  {
    guarantee: 'autosave: edits stay while the server is away',
    file: autosave,
    search: 'if (isAway(error)) return',
    replacement: 'if (isAway(error)) return edit({})',
    tests: detailScreen,
  },
  {
    guarantee: 'autosave: leaving the page at once loses nothing that was typed',
    file: autosave,
    search: 'useEffect(() => () => void flush(), [])',
    replacement: 'useEffect(() => () => clearTimeout(timer.current), [])',
    tests: detailScreen,
  },
  {
    guarantee: 'autosave: a save expects what was stored when the editing began',
    file: autosave,
    search: 'body: { ...change, before: undone }',
    replacement: 'body: change',
    tests: detailScreen,
  },
  {
    guarantee: 'autosave: Undo puts back what was there before',
    file: autosave,
    search: 'undo: () => changeNow(undone)',
    replacement: 'undo: () => changeNow(change)',
    tests: detailScreen,
  },
]
