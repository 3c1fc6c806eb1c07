import { Type } from 'typebox'
import { pageQuery, reply, strict } from '#contract/fields.ts'
import { LicenseReply, licensesContract, singleLicenseFilter } from '#features/licenses/licenses.contract.ts'
import { licensesErrors } from '#features/licenses/licenses.errors.ts'
import { allCounted, fieldsOf, insteadOf, sellerCall } from './seller-call.contract.ts'

/** License calls with a seller key: the same fields and rules as in the dashboard. */

const { createLicenses, updateLicense, toggleBanLicense, addTimeLicenses, deleteLicense, bulkLicenses, listLicenses } =
  licensesContract

const key = { license: 'licenseKey' }
const keys = { license: 'licenses' }
const params = Type.Object({ license: Type.String({ minLength: 1, maxLength: 200 }) })

export const sellerLicensesContract = {
  createLicenses: sellerCall('POST /licenses', {
    scope: 'licenses:write',
    idempotent: true,
    summary:
      'Create up to 1000 licenses. With `format=text`, the response is the bare keys, one per line, for shops that deliver them.',
    query: strict({
      format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('text')], { default: 'json' })),
    }),
    body: fieldsOf(createLicenses.body, ['appName', 'appId']),
    reply: reply({ licenses: Type.Array(Type.String()), keys: Type.Array(Type.String()) }),
    errors: licensesErrors,
    successes: createLicenses.successes,
    replaces: [insteadOf(createLicenses)],
  }),
  listLicenses: sellerCall('GET /licenses', {
    scope: 'licenses:read',
    summary:
      'List licenses, one page at a time, newest first. `search` matches the key, the notes, the user and the creator.',
    query: strict({ ...pageQuery, ...singleLicenseFilter }),
    reply: allCounted(listLicenses.reply),
  }),
  getLicense: sellerCall('GET /licenses/{license}', {
    scope: 'licenses:read',
    summary: 'Get a license.',
    params,
    reply: reply({ license: LicenseReply }),
    errors: licensesErrors,
  }),
  editLicense: sellerCall('PUT /licenses/{license}', {
    scope: 'licenses:write',
    summary:
      'Update the subscription, notes or expiry (in seconds; 0 is a lifetime license) of a license. Omitted fields keep their value.',
    params,
    body: fieldsOf(updateLicense.body, ['appName', 'appId', 'licenseKey', 'before']),
    reply: reply({ license: LicenseReply }),
    errors: licensesErrors,
    successes: updateLicense.successes,
    replaces: [insteadOf(updateLicense, key)],
  }),
  banLicense: sellerCall('POST /licenses/{license}/ban', {
    scope: 'licenses:write',
    summary: 'Ban a license. Its live sessions end immediately.',
    params,
    body: strict({}),
    reply: reply({ banned: Type.Boolean() }),
    errors: licensesErrors,
    successes: toggleBanLicense.successes,
    replaces: [insteadOf(toggleBanLicense, key, { banned: true }), insteadOf(bulkLicenses, keys, { action: 'ban' })],
  }),
  unbanLicense: sellerCall('POST /licenses/{license}/unban', {
    scope: 'licenses:write',
    summary: 'Unban a license.',
    params,
    body: strict({}),
    reply: reply({ banned: Type.Boolean() }),
    errors: licensesErrors,
    successes: toggleBanLicense.successes,
    replaces: [insteadOf(toggleBanLicense, key, { banned: false }), insteadOf(bulkLicenses, keys, { action: 'unban' })],
  }),
  addTimeLicense: sellerCall('POST /licenses/{license}/add-time', {
    scope: 'licenses:write',
    idempotent: true,
    summary: 'Add time to a license. If it has been redeemed, its user is extended.',
    params,
    body: fieldsOf(addTimeLicenses.body, ['appName', 'appId', 'licenses']),
    reply: reply({ license: LicenseReply }),
    errors: licensesErrors,
    successes: { LICENSE_ADD_TIME_OK: 'Time added successfully' },
    replaces: [insteadOf(bulkLicenses, keys, { action: 'add-time' })],
  }),
  deleteLicense: sellerCall('DELETE /licenses/{license}', {
    scope: 'licenses:delete',
    summary:
      'Delete a license. With `deleteUsers`, which needs `users:delete` too, also delete the user who redeemed it.',
    params,
    query: strict({ deleteUsers: Type.Optional(Type.Boolean()) }),
    reply: reply({ deletedUsers: Type.Integer() }),
    errors: licensesErrors,
    successes: deleteLicense.successes,
    replaces: [
      insteadOf(deleteLicense, key, { refundCredits: true }),
      insteadOf(bulkLicenses, keys, { action: 'delete', refundCredits: true }),
    ],
  }),
}
