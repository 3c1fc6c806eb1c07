import type { Mutant } from './mutant.ts'

const settings = ['src/features/admin/api/save-settings.test.ts']
const owners = ['src/features/admin/api/owners.test.ts']
const status = ['src/features/status/api/read-status.test.ts']
const mailServer = ['src/features/admin/api/save-mail-server.test.ts']
const mailConnection = ['src/server/mail/mail-connection.test.ts']
const mailProbe = ['src/features/status/mail-probe.test.ts']
const mailLanguage = ['src/features/accounts/mail-language.test.ts']
const audit = ['src/features/audit/api/list-audit.test.ts']

/** What runs the platform itself: settings, plans, owners, status, audit and mail. */
export const platformMutants: readonly Mutant[] = [
  {
    guarantee: 'a change during maintenance keeps the time at which it began',
    file: 'src/features/admin/admin-settings.actions.ts',
    search: 'before.maintenanceMode ? (before.maintenanceSince ?? null) : now',
    replacement: 'now',
    tests: settings,
  },
  {
    guarantee: 'the history of the status is written down',
    file: 'src/features/status/status-board.ts',
    search: '      await recordMinutes(this.#services, this.#unwritten.values())\n',
    replacement: '',
    tests: status,
  },
  {
    guarantee: 'a minute of the status counts once, as the worst that was seen',
    file: 'src/features/status/status-board.ts',
    search: '    if (written?.minute === minute && !isWorse(measured.state, written.state)) return\n',
    replacement: '    if (written?.minute === minute) return\n',
    tests: status,
  },
  {
    guarantee: 'a mail server that fails is seen without a mail',
    file: 'src/features/status/mail-probe.ts',
    search: 'failure ? before + 1 : 0',
    replacement: '0',
    tests: mailProbe,
  },
  {
    guarantee: 'no mail server is tried while mail is off',
    file: 'src/features/status/mail-probe.ts',
    search: '    if (!mailIsOn(services)) return\n',
    replacement: '',
    tests: mailProbe,
  },
  {
    guarantee: 'a mail server that never comes to an end is given up',
    file: 'src/server/mail/mail-connection.ts',
    search: '    return failureOf(error as SmtpError)\n',
    replacement: '    return error instanceof TookTooLong ? undefined : failureOf(error as SmtpError)\n',
    tests: mailProbe,
  },
  {
    guarantee: 'the password of the mail server is asked for again by another host, port or SSL setting',
    file: 'src/features/admin/admin.rules.ts',
    search: 'mailServerKey(stored) !== mailServerKey(next)',
    replacement: 'stored.smtpHost !== next.smtpHost',
    tests: mailServer,
  },
  {
    guarantee: 'a row that names another mail server opens no password',
    file: 'src/server/settings/platform-settings.ts',
    search: '`${unboundPasswordContext}|${mailServerKey(email)}`',
    replacement: '`${unboundPasswordContext}|${email.smtpHost}`',
    tests: mailConnection,
  },
  {
    guarantee: 'no password of the mail server leaves this machine without TLS',
    file: 'src/server/mail/mail-connection.ts',
    search: "email.useSSL || (smtpUser !== '' && !isThisMachine(host))",
    replacement: 'email.useSSL',
    tests: mailConnection,
  },
  {
    guarantee: 'a password that was sealed for no server is bound at the start',
    file: 'src/features/admin/admin.feature.ts',
    search: '  start: bindStoredPassword,\n',
    replacement: '',
    tests: mailServer,
  },
  {
    guarantee: 'administrators hear of a changed mail server through the one before',
    file: 'src/features/admin/mail-server-notices.ts',
    search: 'canSendMail(before) ? before : after',
    replacement: 'canSendMail(after) ? after : before',
    tests: mailServer,
  },
  {
    guarantee: 'turning mail off is a change that administrators hear of',
    file: 'src/features/admin/mail-server-notices.ts',
    search: 'JSON.stringify([canSendMail(email), mailServerKey(email)',
    replacement: 'JSON.stringify([mailServerKey(email)',
    tests: mailServer,
  },
  {
    guarantee: 'the audit says which administrator did not hear of a changed mail server',
    file: 'src/features/admin/mail-server-notices.ts',
    search: '  if (!isFinal && job.attempt < maxAttempts) throw new Error(problem.code)\n',
    replacement: '  if (!isFinal) throw new Error(problem.code)\n',
    tests: mailServer,
  },
  {
    guarantee: 'what a mail server says is shown to nobody',
    file: 'src/server/mail/mail-connection.ts',
    search: 'problem: { code: problemCode(error) },',
    replacement: 'problem: { code: problemCode(error), values: { answer: String(response ?? message) } },',
    tests: ['src/features/admin/api/send-test-mail.test.ts'],
  },
  {
    guarantee: 'the plan limits variables (R-LIC-05)',
    file: 'src/features/variables/variables.actions.ts',
    search: "    reject: (limit) => reject(variablesErrors, 'APP_VARIABLE_LIMIT_REACHED', { values: { limit } }),\n",
    replacement: '    reject: () => {},\n',
    tests: ['src/features/variables/api/modify-app-variable.test.ts'],
  },
  {
    guarantee: 'a plan that an administrator gives lasts 30 days',
    file: 'src/features/admin/admin.actions.ts',
    search: 'planExpiresAt === undefined ? context.now + planSeconds : planExpiresAt',
    replacement: 'null',
    tests: owners,
  },
  {
    guarantee: 'a feature that a plan has not is rejected',
    file: 'src/features/plans/plans.actions.ts',
    search: '  if (await hasPlanFeature(db, ownerId, feature, now)) return\n',
    replacement: '  if (await hasPlanFeature(db, ownerId, feature, now).then(() => true)) return\n',
    tests: ['src/features/plans/plan-features.test.ts'],
  },
  {
    guarantee: 'under maintenance programs are rejected',
    file: 'src/features/client-api/client-routes.ts',
    search: '      rejectDuringMaintenance(services)\n',
    replacement: '',
    tests: settings,
  },
  {
    guarantee: 'a setting acts in every process',
    file: 'src/server/settings/platform-settings.ts',
    search: '  tx.publish(`settings:${name}`)\n',
    replacement: '',
    tests: settings,
  },
  {
    guarantee: 'the password of the mail server is given to nobody',
    file: 'src/features/admin/admin-settings.actions.ts',
    search: "...(smtpPassword && { smtpPassword: 'changed' })",
    replacement: '...(smtpPassword && { smtpPassword })',
    tests: settings,
  },
  {
    guarantee: 'registration that is closed stays closed',
    file: 'src/features/accounts/api/register.ts',
    search: "} else if (!platform.registrationEnabled) reject(accountsErrors, 'REGISTRATION_CLOSED')",
    replacement: '}',
    tests: settings,
  },
  {
    guarantee: 'only a valid set-up token opens a registration that is closed',
    file: 'src/features/accounts/api/register.ts',
    search: "if (!isValid) reject(accountsErrors, 'SETUP_TOKEN_INVALID')",
    replacement: 'void isValid',
    tests: ['src/features/accounts/api/register.test.ts'],
  },
  {
    guarantee: 'sessions end by the time that is set',
    file: 'src/features/accounts/accounts.identity.ts',
    search: 'const { sessionTimeout } = (await services.settings.current()).security',
    replacement: 'const sessionTimeout = 24',
    tests: settings,
  },
  {
    guarantee: 'another origin never calls with credentials (R-CSRF-06)',
    file: 'src/server/http/cross-origin.ts',
    search: "  response.setHeader('access-control-allow-origin', origin)\n",
    replacement:
      "  response.setHeader('access-control-allow-origin', origin)\n  response.setHeader('access-control-allow-credentials', 'true')\n",
    tests: settings,
  },
  {
    guarantee: 'the last administrator stays',
    file: 'src/features/accounts/accounts.actions.ts',
    search: "  if (admins.every((admin) => admin.id === id)) reject(ownerErrors, 'LAST_ADMIN')\n",
    replacement: '  void admins\n',
    tests: owners,
  },
  {
    guarantee: 'an administrator is neither banned nor deleted by another',
    file: 'src/features/admin/admin.actions.ts',
    search: "owner.role === 'admin' ? reject(adminErrors, 'OWNER_IS_ADMIN') : owner",
    replacement: 'owner',
    tests: owners,
  },
  {
    guarantee: 'an action and its audit row are one transaction (R-LOG-01)',
    file: 'src/features/admin/admin-settings.actions.ts',
    search:
      "  await recordAudit(tx, context, {\n    act: 'settings.save',\n    target: name,\n    details,\n    changes: changesOf(current, changed),\n  })\n",
    replacement:
      "  const { db } = context.services as unknown as { db: { write(work: (later: Tx) => Promise<void>): Promise<void> } }\n  tx.afterCommit(() => void db.write((later) => recordAudit(later, context, { act: 'settings.save', target: name, details })).catch(() => {}))\n",
    tests: ['src/server/audit/audit.test.ts'],
  },
  {
    guarantee: 'nobody seals after an end of the chain that this server did not sign (R-LOG-02)',
    file: 'src/features/audit/audit-chain.ts',
    search: "  if (!isHeadGenuine(masterKey, head)) throw new Error('the head of the audit chain is not genuine')\n",
    replacement: '',
    tests: ['src/features/audit/audit-metrics.test.ts'],
  },
  {
    guarantee: 'an emptied audit chain is not signed anew (R-LOG-02)',
    file: 'src/features/audit/audit-chain.ts',
    search:
      "      if (await this.#recordedHeads.find(id)) throw new Error('the audit chain was emptied: nothing more is sealed')\n",
    replacement: '',
    tests: ['src/features/audit/verify-audit.test.ts'],
  },
  {
    guarantee: 'the recorded head of the audit chain does not follow the database down (R-LOG-02)',
    file: 'src/features/audit/audit-chain.ts',
    search: 'if (isNewer && isHeadGenuine(masterKey, head) && (await hasRow(db.read, recorded))) {',
    replacement: 'if (isHeadGenuine(masterKey, head)) {',
    tests: ['src/features/audit/verify-audit.test.ts'],
  },
  {
    guarantee: 'an owner learns that an administrator acted, not who and from where',
    file: 'src/features/audit/audit.reply.ts',
    search: "isOwn && row.actor_type === 'admin' && !isYou",
    replacement: 'false',
    tests: audit,
  },
  {
    guarantee: 'an owner sees nothing of the audit of others (R-TEN-02)',
    file: 'src/features/audit/audit.reads.ts',
    search: "  if (ownerId) query = query.where('audit.owner_id', '=', ownerId)\n",
    replacement: '',
    tests: audit,
  },
  {
    guarantee: 'a list that stopped counting says so',
    file: 'src/features/audit/api/audit.ts',
    search: 'isMore: counted > maxCounted',
    replacement: 'isMore: false',
    tests: audit,
  },
  {
    guarantee: 'a mail is in the language of its reader',
    file: 'src/server/mail/mail.ts',
    search: '  const reader = languageData(language)\n',
    replacement: "  const reader = languageData(language && 'en')\n",
    tests: mailLanguage,
  },
  {
    guarantee: 'a browser that names none of our languages changes nothing',
    file: 'src/features/accounts/accounts.actions.ts',
    search: '  if (language === undefined || language === person.language) return person\n',
    replacement: "  language ??= 'en'\n",
    tests: mailLanguage,
  },
  {
    guarantee: 'another language of the dashboard counts without a sign-in',
    file: 'src/features/accounts/accounts.identity.ts',
    search: "      await rememberLanguage(tx, tables, person, acceptedLanguage(request.headers['accept-language']))\n",
    replacement: '',
    tests: mailLanguage,
  },
  {
    guarantee: 'a reseller hears of a sign-in on a new device (R-AUTH-12)',
    file: 'src/features/accounts/sign-in.actions.ts',
    search: 'if (deviceOf(context, person) === undefined)',
    replacement: "if (kind.name === 'account' && deviceOf(context, person) === undefined)",
    tests: ['src/features/resellers/reseller-mails.test.ts'],
  },
  {
    guarantee: 'a new password makes strangers of a reseller’s devices',
    file: 'src/features/accounts/accounts.actions.ts',
    search: 'devices_since: forgetDevicesUntilNow(services) }\n  await updatePerson(tx.db, tables, id',
    replacement:
      "devices_since: name === 'account' ? forgetDevicesUntilNow(services) : person.devices_since }\n  await updatePerson(tx.db, tables, id",
    tests: ['src/features/resellers/reseller-mails.test.ts'],
  },
  {
    guarantee: 'a process of an older version seals no audit rows beside a newer one (R-LOG-02)',
    file: 'src/database/migrations/001-first-release/audit.ts',
    search: 'when new.seq is not null and new.ip_hash is null',
    replacement: "when new.seq is not null and new.ip_hash = 'older'",
    tests: ['src/features/audit/verify-audit.test.ts'],
  },
  {
    guarantee: 'no undo turns on maintenance mode without its question',
    file: 'src/features/audit/find-restorable.ts',
    search: 'disablesApp || beginsMaintenance',
    replacement: 'disablesApp',
    tests: ['src/features/audit/api/undo-entry.test.ts'],
  },
]
