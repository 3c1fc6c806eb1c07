import type { DashboardCall } from '../error-codes.ts'
import { type DashboardRemedies, notFound } from './dashboard-calls.ts'

const named = [
  'GET /resellers/{id}',
  'GET /resellers/by-username/{username}',
  'PUT /resellers/{id}',
  'DELETE /resellers/{id}',
  'POST /resellers/{id}/ban',
  'POST /resellers/{id}/setup-link',
  'POST /resellers/{id}/password-reset',
  'POST /resellers/{id}/two-factor/disable',
  'POST /resellers/{id}/apps',
  'PUT /resellers/{id}/apps/{app}',
  'DELETE /resellers/{id}/apps/{app}',
  'POST /resellers/{id}/credits/add',
  'POST /resellers/{id}/credits/set',
  'GET /resellers/{id}/credits/history',
  'GET /resellers/{id}/domain',
  'POST /resellers/{id}/domain',
  'POST /resellers/{id}/domain/check',
  'DELETE /resellers/{id}/domain',
] as const satisfies DashboardCall[]
const assigning = ['POST /resellers/{id}/apps', 'PUT /resellers/{id}/apps/{app}'] as const satisfies DashboardCall[]
const crediting = [
  'POST /resellers/{id}/credits/add',
  'POST /resellers/{id}/credits/set',
] as const satisfies DashboardCall[]
const saving = ['POST /resellers/{id}/domain'] as const satisfies DashboardCall[]
const checking = ['POST /resellers/{id}/domain/check'] as const satisfies DashboardCall[]
const selling = ['POST /reseller/licenses/create'] as const satisfies DashboardCall[]
const deleting = ['DELETE /reseller/licenses/{id}'] as const satisfies DashboardCall[]

/** Resellers, their credits and domains, and what they sell. */
export const dashboardResellers = {
  RESELLER_NOT_FOUND: notFound(named, 'reseller', 'Manage Resellers'),
  RESELLER_SET_UP_ALREADY: {
    calls: ['POST /resellers/{id}/setup-link'],
    cause: 'The reseller has chosen a password already, so there is nothing to set up.',
    remedy: 'Choose **Reset password** for the reseller on **Manage Resellers** instead.',
  },
  RESELLER_NOT_SET_UP: {
    calls: ['POST /resellers/{id}/password-reset'],
    cause: 'The reseller has not chosen a password yet, so there is none to reset.',
    remedy: 'Choose **New setup link** for the reseller on **Manage Resellers** and pass the link on.',
  },
  RESELLER_BANNED: {
    calls: ['POST /resellers/{id}/password-reset'],
    cause: 'The reseller is banned, and a new password would be of no use.',
    remedy: 'Unban the reseller on **Manage Resellers** first.',
  },
  RESET_LIMIT: {
    calls: ['POST /resellers/{id}/password-reset', 'POST /admin/owners/{id}/password-reset'],
    cause: 'Three links for a new password were mailed to this address within the last hour.',
    remedy: 'Ask for the newest mail, also in the spam folder, or wait an hour.',
  },
  SETUP_LINK_INVALID: {
    calls: ['GET /reseller/setup/{registrationToken}', 'POST /reseller/setup/{registrationToken}'],
    cause: 'The setup link was used, has expired, or was replaced by a newer one.',
    remedy: 'As the reseller, ask your administrator for a new link. The owner creates it on **Manage Resellers**.',
  },
  EMAIL_LINK_INVALID: {
    calls: ['POST /reseller/confirm-email'],
    cause: 'The link that confirms a new email address was used, has expired, or belongs to an earlier change.',
    remedy: 'The owner enters the address again on **Manage Resellers**, which sends a new link.',
  },
  APP_ALREADY_ASSIGNED: {
    calls: ['POST /resellers/{id}/apps'],
    cause: 'The reseller may sell this app already.',
    remedy: 'Edit the assignment instead of adding another one.',
  },
  PLAN_INVALID: {
    calls: assigning,
    cause: 'A duration that the reseller may sell is not one that the server knows.',
    remedy: 'Choose durations that the form offers, or enter a number of days.',
  },
  LEVELS_UNKNOWN: {
    calls: assigning,
    cause: 'The reseller would be allowed to sell a subscription level that the app does not have.',
    remedy: 'Reload the page and choose from the levels of the app.',
  },
  CREDITS_INVALID: {
    calls: crediting,
    cause: 'The amount of credits is missing, or is not a whole number. Amounts are never accepted as text.',
    remedy: 'Enter a whole number.',
  },
  CREDITS_TOO_MANY: {
    calls: crediting,
    cause: 'The reseller would have more credits for this app than a balance can hold.',
    remedy: 'Add fewer credits.',
  },
  CREDITS_MISSING: {
    calls: [...selling, 'POST /bin/restore'],
    cause:
      'The licenses cost more credits than the reseller has for this app. No license was created, or restored after a refund.',
    remedy:
      'As the reseller, create fewer licenses, or buy credits from your administrator, who adds them on **Manage Resellers**.',
  },
  CREDITS_CLOSED: {
    calls: [
      ...crediting,
      'PUT /resellers/{id}/apps/{app}',
      'DELETE /resellers/{id}/apps/{app}',
      ...selling,
      'POST /bin/restore',
    ],
    cause: 'The app is not assigned to the reseller, or no longer.',
    remedy: 'Assign the app on **Manage Resellers** first.',
  },
  DOMAIN_REQUIRED: {
    calls: saving,
    cause: 'The domain is empty.',
    remedy: 'Enter a host name, such as `keys.example.com`.',
  },
  DOMAIN_INVALID: {
    calls: saving,
    cause: 'The domain is not a host name.',
    remedy: 'Enter it without `https://`, port, and path, such as `keys.example.com`.',
  },
  DOMAIN_TAKEN: {
    calls: checking,
    cause: 'Another reseller has proved this domain, and the TXT record of that proof still exists.',
    remedy: 'If the domain is yours, remove the other TXT record and check again.',
  },
  DOMAIN_NOT_PROVED: {
    calls: checking,
    cause: "The domain's name servers don't show the TXT record yet.",
    remedy:
      'Compare the name and the value of the record with the page. A new record can take an hour or more; then check again.',
  },
  DOMAIN_PROOF_WRONG: {
    calls: checking,
    cause: 'The domain has a TXT record for Signet with another value, perhaps of an earlier attempt.',
    remedy: 'Copy the value from the page into the record, wait, and check again.',
  },
  DNS_UNAVAILABLE: {
    calls: checking,
    cause: "The domain's name servers did not answer.",
    remedy: 'Try again later. If it goes on, the operator checks `NAME_SERVERS`.',
  },
  DOMAIN_NOT_FOUND: {
    calls: [...checking, 'DELETE /resellers/{id}/domain'],
    cause: 'The reseller has no domain of its own.',
    remedy: 'Enter a domain first.',
  },
  COLOR_INVALID: {
    calls: saving,
    cause: 'A color is not written as `#` and six hexadecimal digits.',
    remedy: 'Enter a color such as `#1bff00`.',
  },
  LOGO_URL_INVALID: {
    calls: saving,
    cause: 'The address of the logo does not start with `https://`.',
    remedy: 'Put the picture on a server with HTTPS and enter its address.',
  },
  PLAN_REQUIRED: {
    calls: selling,
    cause: 'No duration is chosen for the licenses.',
    remedy: 'Choose one of the durations that you may sell.',
  },
  PLAN_NOT_ALLOWED: {
    calls: selling,
    cause: 'The owner of the app does not let you sell this duration.',
    remedy: 'Choose another one, or ask your administrator to allow it on **Manage Resellers**.',
  },
  PLAN_WITHOUT_COST: {
    calls: selling,
    cause: 'The owner of the app allows this duration and has not said how many credits it costs.',
    remedy: 'Ask your administrator to enter the cost on **Manage Resellers**.',
  },
  PRICE_CHANGED: {
    calls: selling,
    cause:
      'Your request names the cost that you saw in `expectedCost`, and the owner has changed it since. Nothing was sold.',
    remedy: 'Check the new cost and send the request again with it.',
  },
  LEVEL_NOT_ALLOWED: {
    calls: selling,
    cause: 'The owner of the app does not let you sell this subscription level.',
    remedy: 'Choose another one, or ask your administrator to allow it on **Manage Resellers**.',
  },
  LEVEL_PAUSED: {
    calls: selling,
    cause: 'The subscription level is paused for the whole app, so its licenses would sign nobody in.',
    remedy: 'Choose another level, or ask your administrator, who can activate it on **Subscriptions**.',
  },
  OWNER_LICENSE_LIMIT_REACHED: {
    calls: selling,
    cause: "The app has as many licenses as its owner's plan allows. Your credits were not used.",
    remedy: 'Tell your administrator, who can delete licenses or change the plan.',
  },
  LICENSE_REDEEMED: {
    calls: deleting,
    cause: 'A customer has redeemed the license, so it cannot be deleted and refunded.',
    remedy: 'Ask your administrator, who can delete any license.',
  },
  LICENSE_IS_BANNED: {
    calls: deleting,
    cause: 'The license is banned, so it cannot be deleted and refunded.',
    remedy: 'Ask your administrator, who can unban or delete it.',
  },
} as const satisfies DashboardRemedies
