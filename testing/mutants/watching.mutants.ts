import type { Mutant } from './mutant.ts'

const follow = ['src/features/logs/api/follow-logs.test.ts']
const streams = ['src/server/http/event-stream.test.ts']
const changes = ['src/features/live/live-changes.test.ts']
const merge = ['src/web/list/live-merge.test.ts']
const diagnose = ['src/features/diagnosis/api/diagnose.test.ts']
const diagnoseRequest = ['src/features/diagnosis/api/diagnose-request.test.ts']
const resellerAlerts = ['src/features/alerts/reseller-detection.test.ts']
const downloads = ['src/features/downloads/api/get-download.test.ts']
const files = ['sdks/downloads.test.ts']

const deletions = [
  'src/features/variables/api/bulk-delete-app-variables.test.ts',
  'src/features/logs/api/bulk-delete-logs.test.ts',
]

/** What owners watch: logs as they come, why a program was rejected, alerts, files. */
export const watchingMutants: readonly Mutant[] = [
  {
    guarantee: 'no spelling of a name hides a sign-in from the alerts of its user',
    file: 'src/features/client-api/api/login.ts',
    search: 'if (found) body.username = found.username',
    replacement: '',
    tests: ['src/features/client-api/activity.test.ts'],
  },
  {
    guarantee: 'a stream of logs ends with its session, before another row is sent (R-SES-05)',
    file: 'src/server/http/event-stream.ts',
    search: '        if (!(await this.#isAllowed(stream, stream.caller.requireAccess))) return\n',
    replacement: '',
    tests: follow,
  },
  {
    guarantee: 'an owner follows so many streams and no more',
    file: 'src/server/http/event-stream.ts',
    search: 'ofKind >= (feed.maxOfOwner ?? maxStreamsOfOwner)',
    replacement: 'ofKind < 0',
    tests: follow,
  },
  {
    guarantee: 'the open panel of a user is told of its variables',
    file: 'src/features/live/live.rules.ts',
    search: "'user.update-variable': ['user-variables']",
    replacement: "'user.update-variable': []",
    tests: changes,
  },
  {
    guarantee: 'changes are announced once per second',
    file: 'src/features/live/live-changes.ts',
    search: 'if (watched.pause === undefined) this.#send',
    replacement: 'this.#send',
    tests: changes,
  },
  {
    guarantee: 'a stream that resumes after an unknown event is told that everything may have changed',
    file: 'src/features/live/live-changes.ts',
    search: 'const isKnown = read >= since && read <= this.#number',
    replacement: 'const isKnown = read >= since || read <= this.#number',
    tests: changes,
  },
  {
    guarantee: 'a row that moved up from the next page is not announced as new',
    file: 'src/web/list/live-merge.ts',
    search: 'endsInView ? undefined : now.findLastIndex(isKnown)',
    replacement: 'undefined',
    tests: merge,
  },
  {
    guarantee: 'a row that no longer matches a filter is not taken for deleted',
    file: 'src/web/list/live-merge.ts',
    search: '!mayLeave && isBetween',
    replacement: 'isBetween',
    tests: merge,
  },
  {
    guarantee: 'the newest entries of a full log stay',
    file: 'src/features/logs/logs.reads.ts',
    search: '.offset(max)',
    replacement: '.offset(max + 1)',
    tests: ['src/features/logs/logs.actions.test.ts'],
  },
  {
    guarantee: 'an account on Free has one stream',
    file: 'src/features/logs/api/follow-logs.ts',
    search: 'plan.name === freePlan.name ? maxLogStreamsOnFree : maxStreamsOfOwner',
    replacement: 'plan.name === freePlan.name ? maxStreamsOfOwner : maxStreamsOfOwner',
    tests: follow,
  },
  {
    guarantee: 'a process has so many streams and no more',
    file: 'src/server/http/event-stream.ts',
    search: 'isFull && !this.#closeNewestOfLargest(own)',
    replacement: 'isFull && !this.#closeNewestOfLargest(own) && own < 0',
    tests: streams,
  },
  {
    guarantee: 'where all streams are taken, accounts with many leave some to one that has none',
    file: 'src/server/http/event-stream.ts',
    search: 'isFull && !this.#closeNewestOfLargest(own)',
    replacement: 'isFull',
    tests: streams,
  },
  {
    guarantee: 'it is the newest stream that gives way',
    file: 'src/server/http/event-stream.ts',
    search: 'this.#streamsOf(ownerId).at(-1)',
    replacement: 'this.#streamsOf(ownerId).at(0)',
    tests: streams,
  },
  {
    guarantee: 'streams of accounts that have as many do not push each other out',
    file: 'src/server/http/event-stream.ts',
    search: 'count >= own + 2',
    replacement: 'count >= own',
    tests: streams,
  },
  {
    guarantee: 'a bounded number of bytes waits for the reader of a stream',
    file: 'src/server/http/event-stream.ts',
    search:
      '    if (response.writableLength + Buffer.byteLength(text) > maxUnreadBytes) response.destroy()\n    else response',
    replacement: '    response',
    tests: streams,
  },
  {
    guarantee: 'an event of a stream is small enough for its buffer',
    file: 'src/features/logs/live-logs.ts',
    search: 'Buffer.byteLength(JSON.stringify(data)) < maxEventBytes ? [',
    replacement: 'data ? [',
    tests: follow,
  },
  {
    guarantee: 'a stream of logs has the rows of its own app alone (R-TEN-02)',
    file: 'src/features/logs/logs.reads.ts',
    search: "    .where('app_id', '=', appId)\n    .where('at', '>=', since)",
    replacement: "    .where('at', '>=', since)",
    tests: follow,
  },
  {
    guarantee: 'a stream goes on after the row that was heard last',
    file: 'src/features/logs/live-logs.ts',
    search: '!(isResumed && id <= (last?.id ?? 0))',
    replacement: '!isResumed',
    tests: follow,
  },
  {
    guarantee: 'the timeline of a rejection has nothing of another app (R-TEN-02)',
    file: 'src/features/diagnosis/diagnosis.reads.ts',
    search: "selectAll().where('app_id', '=', appId).where(column, '=', value)",
    replacement: "selectAll().where(column, '=', value)",
    tests: diagnose,
  },
  {
    guarantee: 'a request ID of another app is the same as an unknown one (R-TEN-02)',
    file: 'src/features/diagnosis/diagnosis.reads.ts',
    search: "    .where('app_id', '=', appId)\n    .where('request', '=', requestId)",
    replacement: "    .where('request', '=', requestId)",
    tests: diagnoseRequest,
  },
  {
    guarantee: 'a customer whom something else keeps out is not said to be free to start',
    file: 'src/features/diagnosis/verdict.rules.ts',
    search: "  if (user.paused) return 'USER_PAUSED'\n",
    replacement: '',
    tests: ['src/features/diagnosis/api/diagnose-verdict.test.ts'],
  },
  {
    guarantee: 'an action on many is not taken for one on a user with that name',
    file: 'src/features/diagnosis/diagnosis.reads.ts',
    search: 'alone.filter((row) => !isOnMany(row))',
    replacement: 'alone',
    tests: diagnose,
  },
  {
    guarantee: 'resets of machines by a reseller raise an alert',
    file: 'src/features/alerts/stored-observations.reads.ts',
    search: "['user.reset-hwid', ",
    replacement: '[',
    tests: resellerAlerts,
  },
  {
    guarantee: 'licenses that a reseller deletes for credits raise an alert',
    file: 'src/features/alerts/stored-observations.reads.ts',
    search: "  'license.delete',\n",
    replacement: '',
    tests: resellerAlerts,
  },
  {
    guarantee: 'a file that requires a sign-in is given to nobody else (R-UP-07)',
    file: 'src/features/downloads/api/get-download.ts',
    search:
      "    if (file.authenticated === 1 && username === undefined) reject(downloadsErrors, 'DOWNLOAD_AUTH_REQUIRED')\n",
    replacement: '',
    tests: downloads,
  },
  {
    guarantee: 'the address of a file ends after a minute (R-UP-07)',
    file: 'src/features/downloads/download-ticket.ts',
    search: 'isRight && expiresAt > now ? session',
    replacement: 'isRight ? session',
    tests: downloads,
  },
  {
    guarantee: 'a client lets go of bytes that are not the signed ones',
    file: 'sdks/typescript/src/download.ts',
    search: '    if (hexOf(this.#hash.digest()) !== current.sha256) throw corrupt()\n',
    replacement: '',
    tests: files,
  },
  {
    guarantee: 'a client leaves nothing of a file that it did not get whole',
    file: 'sdks/typescript/src/download.ts',
    search: '    await written(node.files.rm(partial, { force: true }))\n',
    replacement: '',
    tests: files,
  },
  {
    guarantee: 'the TypeScript client takes a signed yes with status 200 alone',
    file: 'sdks/typescript/src/exchange.ts',
    search: "if (fields['success'] && status === 200) return fields",
    replacement: "if (fields['success'] && status > 0) return fields",
    tests: ['sdks/typescript/src/hostile-wire.test.ts'],
  },
  {
    guarantee: 'the TypeScript client follows no redirect',
    file: 'sdks/typescript/src/exchange.ts',
    search: "body,\n        redirect: 'manual',",
    replacement: "body,\n        redirect: 'follow',",
    tests: ['sdks/typescript/src/hostile-wire.test.ts'],
  },
  {
    guarantee: 'what happens to one subject twice in a scan is one alert that counts both',
    file: 'src/features/alerts/alerts.actions.ts',
    search: '    last = alert\n',
    replacement: '    last = isRaised ? undefined : alert\n',
    tests: ['src/features/alerts/detection.test.ts'],
  },
  {
    guarantee: 'an owner of several apps is told what happens across them',
    file: 'src/features/alerts/detection.ts',
    search: 'app.ownerId)) < 2',
    replacement: 'app.ownerId)) < 9',
    tests: ['src/features/alerts/detection.test.ts'],
  },
  {
    guarantee: 'a deletion by filter deletes no rows but those that were counted',
    file: 'src/server/bulk/expected-rows.ts',
    search: 'if (mayBeFewer ? found > count : found !== count)',
    replacement: 'if (mayBeFewer && found < 0)',
    tests: deletions,
  },
  {
    guarantee: 'the newest log entry is of the app, not of the server',
    file: 'src/features/logs/logs.reads.ts',
    search: 'await filterLogs(db, { appId })\n',
    replacement: "await db.selectFrom('logs')\n",
    tests: ['src/features/logs/api/bulk-delete-logs.test.ts'],
  },
  {
    guarantee: 'a deletion of logs leaves out what was stored since',
    file: 'src/features/logs/logs.reads.ts',
    search: 'newestId === undefined ? ids : ids.filter((id) => id <= newestId)',
    replacement: 'ids',
    tests: ['src/features/logs/api/bulk-delete-logs.test.ts'],
  },
  {
    guarantee: 'the machine of a user is found by a name in any alphabet',
    file: 'src/features/alerts/log-observations.reads.ts',
    search: 'bound.get(usernameKey(row.username))',
    replacement: 'bound.get(row.username)',
    tests: ['src/features/alerts/detection.test.ts'],
  },
  {
    guarantee: 'lists are searched regardless of case in any alphabet',
    file: 'src/database/search-source.ts',
    search: '[text, lower, text.toUpperCase(), capitalized]',
    replacement: '[text]',
    tests: ['src/database/contained-text.test.ts'],
  },
]
