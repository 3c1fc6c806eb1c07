import { called, type MailPlatform, type MailText } from './mail-text.ts'

interface SignInValues {
  username: string
  time: string
  ip: string
  /** Empty if unknown. */
  browser: string
  /** Page where the reader can act on it. */
  page: 'profile' | 'reseller/profile'
}

const notYou = 'If that was you, there is nothing to do. If not, set a new password at once.'
const ignore = 'If you did not ask for this, ignore this mail: nothing changes.'
const forMinutes = (minutes: number) => `The link works once, and for ${minutes} minutes.`

const yourAccount = (username: string): string =>
  called(username) ? `your account ${called(username)}` : 'your account'
const ofApp = (app: string): string => (called(app) ? ` for ${called(app)}` : '')

/** All emails of this server, by code. */
export const englishMails = {
  test: (_: object, { name }: MailPlatform): MailText => ({
    subject: `Test mail of ${name}`,
    lines: ['This mail was sent to try the mail settings. They work.'],
  }),
  'password-reset': (
    { username, link, minutes }: { username: string; link: string; minutes: number },
    { name }: MailPlatform,
  ): MailText => ({
    subject: `Set a new password for ${name}`,
    lines: [`Somebody asked for a new password for ${yourAccount(username)} at ${name}. This link sets it:`],
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
    lines: [`Somebody asked for a new password for ${yourAccount(username)}${ofApp(app)}. This link sets it:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'password-changed': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Your password for ${name} was changed`,
    lines: [
      `The password of ${yourAccount(username)} at ${name} was changed, and every session of it has ended.`,
      notYou,
    ],
  }),
  'email-changed': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Your email address at ${name} was changed`,
    lines: [
      `Mail about ${yourAccount(username)} at ${name} goes to another address from now on; this is the last one here.`,
      'If that was not you, sign in, change the address back and set a new password; if you can not, ask an administrator.',
    ],
  }),
  'email-change-requested': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `A new email address was requested for your account at ${name}`,
    lines: [
      `A new email address was requested for ${yourAccount(username)} at ${name}. It replaces this one as soon as it is confirmed.`,
      'If you do not know of it, ask the owner who invited you.',
    ],
  }),
  'confirm-email': (
    { username, link, hours }: { username: string; link: string; hours: number },
    { name }: MailPlatform,
  ): MailText => ({
    subject: `Confirm your new email address at ${name}`,
    lines: [`This address is to be used for ${yourAccount(username)} at ${name}. This link confirms it:`],
    link,
    closing: [`The link works once, and for ${hours} hours.`, ignore],
  }),
  'two-factor-on': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Two-factor authentication is on at ${name}`,
    lines: [
      `Signing in to ${yourAccount(username)} at ${name} takes a code of an authenticator app from now on.`,
      notYou,
    ],
  }),
  'two-factor-off': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Two-factor authentication is off at ${name}`,
    lines: [`Signing in to ${yourAccount(username)} at ${name} takes the password alone from now on.`, notYou],
  }),
  'new-sign-in': ({ username, time, ip, browser, page }: SignInValues, { name, url }: MailPlatform): MailText => ({
    subject: `New sign-in at ${name}`,
    lines: [
      `Somebody signed in to ${yourAccount(username)} at ${name} on a device that had not signed in before.`,
      `When: ${time}`,
      `Where from: ${ip}`,
      `Browser: ${browser || 'unknown'}`,
      'If that was you, there is nothing to do. If not, set a new password; your sessions are listed here:',
    ],
    link: `${url}/${page}`,
  }),
  'mail-server-changed': (
    { username, time, ip, host }: { username: string; time: string; ip: string; host: string },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `The mail server of ${name} was changed`,
    lines: [
      `${called(username) || 'An administrator'} changed the mail settings of ${name}.`,
      `When: ${time}`,
      `Where from: ${ip}`,
      host === '' ? 'New mail server: none; mail is off' : `New mail server: ${host}`,
      'Links for new passwords are sent through the mail server. If no administrator of yours did this, set a new password, then change the settings back:',
    ],
    link: `${url}/admin/settings`,
  }),
  'plan-ending': (
    { username, plan, time, days }: { username: string; plan: string; time: string; days: number },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `Your plan ${plan} at ${name} ends ${days === 1 ? 'tomorrow' : `in ${days} days`}`,
    lines: [
      `The plan ${plan} of ${yourAccount(username)} ends on ${time}. After that the limits of the Free plan apply: nothing is deleted, but nothing can be added above them, and what Free does not include stops, such as calling webhooks and the brand of resellers' domains.`,
      'What you use and what the plans offer:',
    ],
    link: `${url}/profile`,
  }),
  'plan-ended': (
    { username, plan, time }: { username: string; plan: string; time: string },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `Your plan ${plan} at ${name} has ended`,
    lines: [
      `The plan ${plan} of ${yourAccount(username)} ended on ${time}. The limits of the Free plan apply now: nothing was deleted, but nothing can be added above them, and what Free does not include has stopped, such as calling webhooks and the brand of resellers' domains.`,
      'What you use and what the plans offer:',
    ],
    link: `${url}/profile`,
  }),
  'webhook-stopped': (
    { app, host, reason }: { app: string; host: string; reason: 'gone' | 'failing' },
    { url }: MailPlatform,
  ): MailText => ({
    subject: `A webhook${ofApp(app)} was stopped`,
    lines: [
      reason === 'gone'
        ? `The webhook to ${host}${ofApp(app)} answered that it wants nothing more (410 Gone), so it gets nothing more.`
        : `The webhook to ${host}${ofApp(app)} has failed for five days without a single success, so it gets nothing more.`,
      'What came of each delivery is listed here; set it right there, and deliveries go on:',
    ],
    link: `${url}/webhooks`,
  }),
}
