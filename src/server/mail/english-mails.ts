import { nameInMail, type MailPlatform, type MailText } from './mail-text.ts'

interface SignInValues {
  username: string
  time: string
  ip: string
  /** Empty if unknown. */
  browser: string
  /** Page where the reader can act on it. */
  page: 'profile' | 'reseller/profile'
}

const notYou = "If this was you, you don't need to do anything. If not, set a new password immediately."
const ignore = "If you didn't request this, ignore this email: nothing changes."
const forMinutes = (minutes: number) => `The link works once and expires after ${minutes} minutes.`

const yourAccount = (username: string): string =>
  nameInMail(username) ? `your account ${nameInMail(username)}` : 'your account'
const ofApp = (app: string): string => (nameInMail(app) ? ` for ${nameInMail(app)}` : '')

/** All emails of this server, by code. */
export const englishMails = {
  test: (_: object, { name }: MailPlatform): MailText => ({
    subject: `Test email from ${name}`,
    lines: ['This email was sent to test the mail settings. They work.'],
  }),
  'password-reset': (
    { username, link, minutes }: { username: string; link: string; minutes: number },
    { name }: MailPlatform,
  ): MailText => ({
    subject: `Set a new password for ${name}`,
    lines: [`Someone requested a new password for ${yourAccount(username)} at ${name}. This link sets it:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'user-password-reset': ({
    app,
    username,
    link,
    minutes,
  }: {
    app: string
    username: string
    link: string
    minutes: number
  }): MailText => ({
    subject: `Set a new password${ofApp(app)}`,
    lines: [`Someone requested a new password for ${yourAccount(username)}${ofApp(app)}. This link sets it:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'password-changed': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Your password for ${name} was changed`,
    lines: [
      `The password of ${yourAccount(username)} at ${name} was changed, and all earlier sessions have ended.`,
      notYou,
    ],
  }),
  'email-changed': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Your email address at ${name} was changed`,
    lines: [
      `Email about ${yourAccount(username)} at ${name} now goes to another address. This is the last email to this address.`,
      "If this wasn't you, sign in, change the address back and set a new password. If you can't, contact an administrator.",
    ],
  }),
  'email-change-requested': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `A new email address was requested for your account at ${name}`,
    lines: [
      `A new email address was requested for ${yourAccount(username)} at ${name}. It replaces this address once it is confirmed.`,
      "If you don't know about this, contact the owner who invited you.",
    ],
  }),
  'confirm-email': (
    { username, link, hours }: { username: string; link: string; hours: number },
    { name }: MailPlatform,
  ): MailText => ({
    subject: `Confirm your new email address at ${name}`,
    lines: [`This address will be used for ${yourAccount(username)} at ${name}. This link confirms it:`],
    link,
    closing: [`The link works once and expires after ${hours} hours.`, ignore],
  }),
  'two-factor-on': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Two-factor authentication is on at ${name}`,
    lines: [`Signing in to ${yourAccount(username)} at ${name} now requires a code from an authenticator app.`, notYou],
  }),
  'two-factor-off': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Two-factor authentication is off at ${name}`,
    lines: [`Signing in to ${yourAccount(username)} at ${name} now requires only the password.`, notYou],
  }),
  'new-sign-in': ({ username, time, ip, browser, page }: SignInValues, { name, url }: MailPlatform): MailText => ({
    subject: `New sign-in at ${name}`,
    lines: [
      `Someone signed in to ${yourAccount(username)} at ${name} from a new device.`,
      `When: ${time}`,
      `IP address: ${ip}`,
      `Browser: ${browser || 'unknown'}`,
      "If this was you, you don't need to do anything. If not, set a new password; your sessions are listed here:",
    ],
    link: `${url}/${page}`,
  }),
  'mail-server-changed': (
    { username, time, ip, host }: { username: string; time: string; ip: string; host: string },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `The mail server of ${name} was changed`,
    lines: [
      `${nameInMail(username) || 'An administrator'} changed the mail settings of ${name}.`,
      `When: ${time}`,
      `IP address: ${ip}`,
      host === '' ? 'New mail server: none; mail is off' : `New mail server: ${host}`,
      'Password reset links are sent through the mail server. If none of your administrators did this, set a new password, then change the settings back:',
    ],
    link: `${url}/admin/settings`,
  }),
  'plan-ending': (
    { username, plan, time, days }: { username: string; plan: string; time: string; days: number },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `Your ${plan} plan at ${name} ends ${days === 1 ? 'tomorrow' : `in ${days} days`}`,
    lines: [
      `The ${plan} plan of ${yourAccount(username)} ends on ${time}. After that, the limits of the Free plan apply: nothing is deleted, but you can't add anything beyond them, and features that Free does not include stop, such as webhooks and the branding of resellers' domains.`,
      'Your usage and the available plans:',
    ],
    link: `${url}/profile`,
  }),
  'plan-ended': (
    { username, plan, time }: { username: string; plan: string; time: string },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `Your ${plan} plan at ${name} has ended`,
    lines: [
      `The ${plan} plan of ${yourAccount(username)} ended on ${time}. The limits of the Free plan apply now: nothing was deleted, but you can't add anything beyond them, and features that Free does not include have stopped, such as webhooks and the branding of resellers' domains.`,
      'Your usage and the available plans:',
    ],
    link: `${url}/profile`,
  }),
  'webhook-stopped': (
    { appId, app, host, reason }: { appId: string; app: string; host: string; reason: 'gone' | 'failing' },
    { url }: MailPlatform,
  ): MailText => ({
    subject: `A webhook${ofApp(app)} was stopped`,
    lines: [
      reason === 'gone'
        ? `The webhook to ${host}${ofApp(app)} responded that it is gone (410 Gone), so nothing more is delivered to it.`
        : `The webhook to ${host}${ofApp(app)} has failed for five days without a single success, so nothing more is delivered to it.`,
      'The result of each delivery is listed here. Fix the cause, then resume deliveries there:',
    ],
    link: `${url}/a/${appId}/webhooks`,
  }),
}
