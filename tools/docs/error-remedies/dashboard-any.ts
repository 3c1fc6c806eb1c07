import type { DashboardRemedies } from './dashboard-calls.ts'

/** Sessions, roles, plans, and the app of a call. */
export const dashboardAny = {
  FORBIDDEN: {
    calls: 'any call',
    cause:
      'You are signed in, but your account has the wrong role for this call: only an administrator, an owner, or a reseller may make it.',
    remedy: 'Sign in with an account of that role, or ask an administrator of the server.',
  },
  REAUTH_REQUIRED: {
    calls: 'any call',
    cause:
      'The call needs a password that was confirmed within the last five minutes. All changes by administrators do.',
    remedy:
      'Enter your password in the dialog that opens; the action continues afterwards. In a call, use `POST /profile/reauthenticate` first.',
  },
  CSRF_INVALID: {
    calls: 'any call',
    cause: 'The request has no valid `X-CSRF-Token`, or the browser says that it comes from another site.',
    remedy:
      'Reload the page. In a call, send the token that the last reply carried. Behind a proxy, check `PUBLIC_URL` and `TRUSTED_PROXIES`.',
  },
  NO_APP_SELECTED: {
    calls: 'any call',
    cause:
      'The call acts on an app, and neither the request nor your session names one. The selected app may have been deleted.',
    remedy: 'Select an app at the top of the sidebar. In a call, send `X-App-Id`.',
  },
  APP_MISMATCH: {
    calls: 'any call',
    cause: 'The header, the query, and the body of the request name different apps. Nothing was done.',
    remedy: 'Name the app once, in `X-App-Id`.',
  },
  LIST_TOO_LONG: {
    calls: 'any call',
    cause: 'A list in the request has more entries than its field can have; the message names both.',
    remedy: 'Send fewer entries at once, or use a filter.',
  },
  UNDO_NOT_FOUND: {
    calls: [
      'POST /licenses/undo',
      'POST /users/undo',
      'POST /seller_keys/undo',
      'POST /licenses/bulk',
      'POST /users/bulk',
      'POST /seller_keys/bulk',
      'POST /bin/restore',
      'POST /audit/{id}/undo',
    ],
    cause: 'The action was undone already, its target has changed since, or its time to be undone is over.',
    remedy: 'Make the opposite change by hand. **Audit** shows what was changed.',
  },
  AUDIT_ENTRY_NOT_FOUND: {
    calls: ['GET /audit/{id}', 'GET /admin/audit/{id}'],
    cause:
      'Your account has no such entry in its audit. Entries are never deleted, so the link belongs to another account.',
    remedy: 'Find the entry in **Audit**, or sign in to the account from which the link comes.',
  },
  ALREADY_UNDONE: {
    calls: ['POST /audit/{id}/undo'],
    cause: 'Somebody has made the opposite change since.',
    remedy: 'Reload the list. To repeat the action, make it again.',
  },
  SELECTION_CHANGED: {
    calls: ['POST /licenses/bulk', 'POST /users/bulk', 'POST /seller_keys/bulk'],
    cause:
      'The filter matches another number of rows than you saw, because rows were added, changed, or deleted meanwhile. Nothing was changed.',
    remedy: 'Look at the list again and repeat the action. In a call, send the new number as `expectedCount`.',
  },
} as const satisfies DashboardRemedies
