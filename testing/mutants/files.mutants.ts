import type { Mutant } from './mutant.ts'

const downloads = 'src/features/downloads'
const store = [`${downloads}/file-store.test.ts`]
const upload = [`${downloads}/api/upload-download.test.ts`]
const retention = ['src/features/alerts/retention.test.ts']
const scan = [`${downloads}/virus-scan.test.ts`]
const addresses = ['src/address-retention.test.ts']
const appExport = ['src/features/app-export/api/export-app.test.ts']

/** Where the bytes of files are, and what is deleted after a time. */
export const fileMutants: readonly Mutant[] = [
  {
    guarantee: 'what goes to a bucket is signed by its bytes',
    file: `${downloads}/s3-bucket.ts`,
    search: "'x-amz-content-sha256': await sha256Of(body)",
    replacement: "'x-amz-content-sha256': 'UNSIGNED-PAYLOAD'",
    tests: store,
  },
  {
    guarantee: 'a bucket that answers with other bytes is not believed',
    file: `${downloads}/s3-bucket.ts`,
    search: 'response.status === (range ? 206 : 200) && ',
    replacement: '',
    tests: store,
  },
  {
    guarantee: 'a bucket that says 200 and then fails has no file',
    file: `${downloads}/s3-bucket.ts`,
    search: "    if (!text.includes('<CompleteMultipartUploadResult'))",
    replacement: '    if (text === undefined)',
    tests: store,
  },
  {
    guarantee: 'nothing in a bucket is swept but what has a name of ours',
    file: `${downloads}/s3-store.ts`,
    search: '/^[A-Za-z0-9]{22}$/',
    replacement: '/^.+$/',
    tests: store,
  },
  {
    guarantee: 'all pages of a list of files are read',
    file: `${downloads}/s3-bucket.ts`,
    search: "if (next === '' || next === token) return",
    replacement: 'return',
    tests: store,
  },
  {
    guarantee: 'the parts of an upload that fails are ended',
    file: `${downloads}/s3-store.ts`,
    search: '    if (uploadId !== undefined) await bucket.abort(key, uploadId).catch(() => {})\n',
    replacement: '',
    tests: store,
  },
  {
    guarantee: 'a file whose last answer was lost is removed',
    file: `${downloads}/s3-store.ts`,
    search: '        await remove(id).catch(() => {})\n',
    replacement: '',
    tests: store,
  },
  {
    guarantee: 'a sender who leaves ends what is on its way to a bucket',
    file: `${downloads}/s3-store.ts`,
    search: "      source.once('error', onError)\n",
    replacement: '',
    tests: store,
  },
  {
    guarantee: 'an upload to a store that is away reserves nothing afterwards',
    file: `${downloads}/api/upload-download.ts`,
    search: ".catch((cause: unknown) => services.log.error({ err: cause }, 'could not remove a file'))",
    replacement: '',
    tests: upload,
  },
  {
    guarantee: 'half an upload is swept from a bucket that lists none',
    file: `${downloads}/downloads.sweep.ts`,
    search: '    await fileStore(services).remove(id)\n',
    replacement: '',
    tests: store,
  },
  {
    guarantee: 'restoring takes no files of a server that may run',
    file: 'src/operating/restore-backup.ts',
    search: '    if (place.s3 && !options.replaces) await refuseFilesInBucket(place)\n',
    replacement: '',
    tests: ['src/operating/backup-of-bucket.test.ts'],
  },
  {
    guarantee: 'an alert that is reopened stays',
    file: 'src/features/alerts/alerts.writes.ts',
    search: "resolved_at: status === 'new' ? null : now",
    replacement: 'resolved_at: now',
    tests: retention,
  },
  {
    guarantee: 'what was decided is not raised again because its alert is gone',
    file: 'src/features/alerts/alerts.reads.ts',
    search: '(case when ${days} > ${minDays} then ${days} else ${minDays} end)',
    replacement: '(case when ${days} > ${minDays} then ${days} else ${days} end)',
    tests: retention,
  },
  {
    guarantee: 'alerts are deleted by the setting of their own app',
    file: 'src/features/alerts/alerts.reads.ts',
    search: 'coalesce(retention.days, cast(${defaultRetentionDays} as integer))',
    replacement: 'cast(${defaultRetentionDays} as integer)',
    tests: retention,
  },
  {
    guarantee: 'old alerts go all at once, however many',
    file: 'src/features/alerts/alerts.jobs.ts',
    search: 'while ((await db.write((tx) => deleteExpired(tx.db, batch))) === alertsPerTransaction)',
    replacement: 'await db.write((tx) => deleteExpired(tx.db, batch))',
    tests: retention,
  },
  {
    guarantee: 'nobody gets a file that waits for the virus scan',
    file: `${downloads}/downloads.reads.ts`,
    search: "    .where('file.unscanned_since', 'is', null)\n",
    replacement: '',
    tests: scan,
  },
  {
    guarantee: 'an infected file that waited is never let through',
    file: `${downloads}/download-scans.ts`,
    search: 'if (file && verdict.isClean) await',
    replacement: 'if (file) await',
    tests: scan,
  },
  {
    guarantee: 'an address of the audit that is blanked too early shows',
    file: 'src/features/audit/audit-chain.ts',
    search: "row.ip === '' && row.seq !== null && Number(row.seq) <= blankedSeq",
    replacement: "row.ip === ''",
    tests: addresses,
  },
  {
    guarantee: 'a machine goes from an old row of the log with its address',
    file: 'src/features/logs/logs.writes.ts',
    search: "{ ip: '', hwid_hash: '', machine_hash: '' }",
    replacement: "{ ip: '', machine_hash: '' }",
    tests: addresses,
  },
  {
    guarantee: 'the data of an app holds no secret of a seller key',
    file: 'src/features/app-export/exported-tables.rules.ts',
    search: "text: ['id', 'name', 'last_four', 'last_used_ip']",
    replacement: "text: ['id', 'name', 'last_four', 'last_used_ip', 'secret_hash']",
    tests: appExport,
  },
  {
    guarantee: 'the data of an app goes on after its first rows',
    file: 'src/features/app-export/app-export.reads.ts',
    search: '    if (key.length === 0) return\n',
    replacement: '    return\n',
    tests: appExport,
  },
]
