import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export interface RejectionText {
  /** Short description of what happened. */
  title: MessageDescriptor
  /** The rule that decided, and where the owner can change its settings. */
  rule: MessageDescriptor
}

const invalidRequest: RejectionText = {
  title: msg`Invalid request`,
  rule: msg`The program sent data that is not part of the protocol. It may be an old client, or someone probing the server.`,
}
const sessionOver: MessageDescriptor = msg`The program must start a new session and sign in again.`
const invalidVariable: RejectionText = {
  title: msg`Variable not allowed`,
  rule: msg`A user variable needs a name of up to 100 visible characters and data of up to 10,000.`,
}
const invalidMessage: RejectionText = {
  title: msg`Log message not allowed`,
  rule: msg`A log message must not be empty and can have up to 1,000 characters.`,
}

/** Explanations of rejections for the app's owner, by error code. */
export const rejectionTexts: Readonly<Record<string, RejectionText>> = {
  APP_NOT_FOUND: {
    title: msg`Unknown app`,
    rule: msg`The owner ID or app name in the program does not match any app.`,
  },
  MALFORMED_REQUEST: invalidRequest,
  CLOCK_SKEW: {
    title: msg`Clock is wrong`,
    rule: msg`The machine's clock differed by more than two minutes from the server's. Clients correct this automatically and try again.`,
  },
  REQUESTS_NOT_ADMITTED: {
    title: msg`Too many rejected requests`,
    rule: msg`Programs or attackers sent more rejected requests within a minute than are logged one by one. Accepted programs are not affected.`,
  },
  NONCE_REUSED: {
    title: msg`Request sent twice`,
    rule: msg`Each request is accepted only once, so a recorded one can't be sent again.`,
  },
  CANNOT_OPEN_SEALED_BODY: {
    title: msg`Sealed request not readable`,
    rule: msg`It was not sealed for this app: the client obfuscation key in the program does not match the app settings.`,
  },
  OWNER_BANNED: {
    title: msg`Account banned`,
    rule: msg`The owner's account is banned, so none of its programs can run.`,
  },
  APP_DISABLED: { title: msg`App disabled`, rule: msg`The app is turned off in its settings.` },
  VERSION_OUTDATED: {
    title: msg`Version out of date`,
    rule: msg`The program's version does not match the app settings.`,
  },
  HASH_MISMATCH: {
    title: msg`Program file changed`,
    rule: msg`Hash check is on, and the program's hash does not match the app settings.`,
  },
  SESSION_REQUIRED: { title: msg`No session`, rule: msg`The program called before starting a session.` },
  SESSION_EXPIRED: {
    title: msg`Session expired`,
    rule: msg`No heartbeat came within the session length of the app settings.`,
  },
  SESSION_ENDED: { title: msg`Session ended`, rule: sessionOver },
  SESSION_REPLACED: {
    title: msg`Signed in elsewhere`,
    rule: msg`The app allows one session for each user, and a newer sign-in ended this one.`,
  },
  NOT_SIGNED_IN: { title: msg`Not signed in`, rule: msg`The call requires a user, but no one had signed in.` },
  LICENSE_NOT_FOUND: { title: msg`License not found`, rule: msg`The app has no license with this key.` },
  LICENSE_BANNED: {
    title: msg`License banned`,
    rule: msg`The license is banned. Unban it on Licenses to let it in.`,
  },
  LICENSE_ALREADY_USED: {
    title: msg`License already used`,
    rule: msg`A license can be redeemed only once, and someone else has redeemed this one.`,
  },
  SUBSCRIPTION_EXPIRED: {
    title: msg`Subscription expired`,
    rule: msg`The user has no subscription with time left. Extend it on Users.`,
  },
  SUBSCRIPTION_PAUSED: {
    title: msg`Subscription paused`,
    rule: msg`The only subscriptions with time left have a level that is paused on Subscriptions.`,
  },
  INVALID_CREDENTIALS: {
    title: msg`Wrong username or password`,
    rule: msg`Unknown user or wrong password. Programs aren't told which.`,
  },
  LOGIN_COOLDOWN: {
    title: msg`Too many failed sign-ins`,
    rule: msg`After five wrong passwords, a user must wait before trying again from the same network.`,
  },
  USERNAME_TAKEN: { title: msg`Username taken`, rule: msg`The app already has a user with this name.` },
  USERNAME_INVALID: {
    title: msg`Username not allowed`,
    rule: msg`Usernames must have 3 to 64 visible characters.`,
  },
  MAIL_OFF: {
    title: msg`Mail is off`,
    rule: msg`A program requested a password reset link, but this server doesn't send mail. An administrator can turn mail on.`,
  },
  PASSWORD_TOO_SHORT: { title: msg`Password too short`, rule: msg`Passwords must have at least 8 characters.` },
  EMAIL_INVALID: { title: msg`Email address not valid`, rule: msg`The entered text is not an email address.` },
  USER_BANNED: { title: msg`User banned`, rule: msg`The user is banned. Unban the user on Users to let them in.` },
  USER_LIMIT_REACHED: {
    title: msg`User limit reached`,
    rule: msg`The plan's limit of users per app is reached.`,
  },
  USER_PAUSED: { title: msg`User paused`, rule: msg`The user is paused. Resume the user on Users to let them in.` },
  VARIABLE_NOT_FOUND: { title: msg`Variable not found`, rule: msg`No variable has this name.` },
  VARIABLE_REQUIRED: invalidVariable,
  VARIABLE_NAME_INVALID: invalidVariable,
  VARIABLE_NAME_TOO_LONG: invalidVariable,
  VARIABLE_DATA_TOO_LONG: invalidVariable,
  VARIABLE_LIMIT_REACHED: { title: msg`Too many variables`, rule: msg`A user can have at most 100 variables.` },
  LOG_MESSAGE_REQUIRED: invalidMessage,
  LOG_MESSAGE_TOO_LONG: invalidMessage,
  VPN_BLOCKED: {
    title: msg`VPN blocked`,
    rule: msg`VPN block is on in the app settings, and the address belongs to a VPN or a data center.`,
  },
  DOWNLOAD_NOT_FOUND: {
    title: msg`File not found`,
    rule: msg`No active file has this ID, or it requires a signed-in session.`,
  },
  WEBHOOK_NOT_FOUND: {
    title: msg`Webhook not found`,
    rule: msg`No webhook has this ID, it requires a signed-in session, or your plan does not include webhooks.`,
  },
  WEBHOOK_UNREACHABLE: {
    title: msg`Webhook unreachable`,
    rule: msg`The webhook's address did not respond, or it may not be called.`,
  },
  WEBHOOK_BUSY: { title: msg`Webhook busy`, rule: msg`The webhook is called too many times at once.` },
  WEBHOOK_ANSWER_TOO_LARGE: {
    title: msg`Webhook response too large`,
    rule: msg`The webhook's response was larger than a program may receive.`,
  },
  HWID_REQUIRED: {
    title: msg`No HWID`,
    rule: msg`HWID lock is on in the app settings, and the program sent no HWID.`,
  },
  HWID_TOO_SHORT: {
    title: msg`HWID too short`,
    rule: msg`The HWID is shorter than the app settings require.`,
  },
  HWID_MISMATCH: {
    title: msg`Another machine`,
    rule: msg`HWID lock is on, and the user is bound to another machine. Reset the HWID on Users to let this one in.`,
  },
}

/** Codes without a text here concern the request itself. */
export const rejectionText = (code: string): RejectionText => rejectionTexts[code] ?? invalidRequest

export const rejectionTitle = (code: string): string => i18n._(rejectionText(code).title)
export const rejectionRule = (code: string): string => i18n._(rejectionText(code).rule)
