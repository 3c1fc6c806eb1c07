import type { Mutant } from './mutant.ts'

const apps = 'src/features/apps'
const scope = ['src/guarantees/app-scope.test.ts']

/** Whose app it is. */
export const appMutants: readonly Mutant[] = [
  {
    guarantee: "a change of one app leaves other apps' opened keys in memory",
    file: `${apps}/program-apps.ts`,
    search: '({ row }) => row.id === appId)',
    replacement: '({ row }) => row.id.length === appId.length)',
    tests: [`${apps}/program-apps.test.ts`],
  },
  {
    guarantee: 'an app that changes while it is being read is read again',
    file: `${apps}/program-apps.ts`,
    search: 'this.#loads.clear()',
    replacement: '',
    tests: [`${apps}/program-apps.test.ts`],
  },
  {
    guarantee: 'X-App-Id wins over the app that is selected (R-TEN-07)',
    file: 'src/server/http/guard.ts',
    search: 'const id = byHeader ?? named.appId',
    replacement: 'const id = named.appId ?? (name === undefined ? undefined : byHeader)',
    tests: scope,
  },
  {
    guarantee: 'a call that names two apps is rejected (R-TEN-07)',
    file: 'src/server/http/guard.ts',
    search: "if (otherName || (appId !== undefined && app.id !== appId)) reject(commonErrors, 'APP_MISMATCH')",
    replacement: '',
    tests: scope,
  },
  {
    guarantee: 'settings are saved to the app that X-App-Id names (R-TEN-07)',
    file: `${apps}/apps.contract.ts`,
    search: "defineCall('POST /update_app', {\n    access: 'account',\n    app: 'by-id',",
    replacement: "defineCall('POST /update_app', {\n    access: 'account',\n    app: true,",
    tests: [...scope, `${apps}/api/update-app.test.ts`],
  },
  {
    guarantee: 'an owner reaches only own apps (R-TEN-02)',
    file: `${apps}/apps.reads.ts`,
    search: "    .where('owner_id', '=', ownerId)\n    .where('id', '=', id)",
    replacement: "    .where('id', '=', id)",
    tests: scope,
  },
  {
    guarantee: 'an owner reaches only own apps by name (R-TEN-02)',
    file: `${apps}/apps.reads.ts`,
    search:
      "    .where('owner_id', '=', ownerId)\n    .where('name_key', '=', appNameKey(name))\n    .where('deleted_at', 'is', null)",
    replacement: "    .where('name_key', '=', appNameKey(name))\n    .where('deleted_at', 'is', null)",
    tests: scope,
  },
  {
    guarantee: 'a deleted app is gone at once (R-TEN-10)',
    file: `${apps}/apps.reads.ts`,
    search: "    .where('id', '=', id)\n    .where('deleted_at', 'is', null)",
    replacement: "    .where('id', '=', id)",
    tests: [...scope, `${apps}/api/delete-app.test.ts`],
  },
  {
    guarantee: 'nothing of a deleted app stays (R-TEN-10)',
    file: `${apps}/apps.purge.ts`,
    search: 'await db.write(({ db: trx }) => deleteRest(trx, id, purge.tables))',
    replacement: 'void deleteRest',
    tests: [`${apps}/api/delete-app.test.ts`],
  },
  {
    guarantee: 'only administrators call what is theirs (R-TEN-09)',
    file: 'src/server/http/guard.ts',
    search: "if (call.access === 'admin' && account.type !== 'admin') {",
    replacement: "if (call.access === 'admin' && account.type === 'admin') {",
    tests: ['src/server/http/build-server.test.ts'],
  },
  {
    guarantee: 'a key is sealed to its context (R-SEC-01)',
    file: 'src/server/secrets/master-key.ts',
    search: "createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context))",
    replacement: "createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(''))",
    tests: ['src/server/secrets/master-key.test.ts'],
  },
  {
    guarantee: 'a replaced root key announces the one that replaces it',
    file: 'src/features/apps/app-keys.actions.ts',
    search: 'newSigningKey(masterKey, { appId, rootKey, announcements, serial, now })',
    replacement: 'newSigningKey(masterKey, { appId, rootKey, serial, now })',
    tests: ['src/features/apps/api/replaced-keys.test.ts'],
  },
  {
    guarantee: 'retired keys end the programs that contain them',
    file: 'src/features/apps/app-keys.actions.ts',
    search: '  await deleteReplacedKeys(tx.db, app.id)\n',
    replacement: '',
    tests: ['src/features/apps/api/replaced-keys.test.ts'],
  },
]
