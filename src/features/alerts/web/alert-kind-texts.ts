import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AlertScope, AlertSeverity, AlertStatus, AlertType } from '../alerts.rules.ts'

interface KindTexts {
  title: MessageDescriptor
  /** Explanation with the threshold in words; docs/alerts.md has the details. */
  about: MessageDescriptor
  /** Unit counted by the threshold. */
  counts: MessageDescriptor
}

/** Names and explanations of the alert types. */
export const kindTexts: Record<AlertType, KindTexts> = {
  IP_MULTI_KEY: {
    title: msg`Many keys from one IP`,
    about: msg`Several users or keys signed in from one IP address.`,
    counts: msg`Users`,
  },
  HWID_MULTI_KEY: {
    title: msg`Many keys on one machine`,
    about: msg`Several users or keys signed in on one machine.`,
    counts: msg`Users`,
  },
  LOADER_HASH_MISMATCH: {
    title: msg`Changed program file`,
    about: msg`A program whose file was changed was rejected repeatedly.`,
    counts: msg`Rejections`,
  },
  HWID_CHANGED: {
    title: msg`Hardware ID changed`,
    about: msg`A user signed in from another machine.`,
    counts: msg`Machines`,
  },
  IP_CHANGED_COUNTRY: {
    title: msg`Another country`,
    about: msg`A user signed in from several countries in a short time.`,
    counts: msg`Countries`,
  },
  RAPID_IP_CHANGE: {
    title: msg`Rapid IP changes`,
    about: msg`A user's IP address changed many times in a short time.`,
    counts: msg`IP addresses`,
  },
  SIMULTANEOUS_SESSIONS: {
    title: msg`Simultaneous sessions`,
    about: msg`A user is signed in from several places at the same time.`,
    counts: msg`Places`,
  },
  EXPIRED_STILL_TRYING: {
    title: msg`Expired, still trying`,
    about: msg`A user with an expired subscription keeps trying to sign in.`,
    counts: msg`Rejections`,
  },
  RESELLER_MASS_RESET_HWID: {
    title: msg`Mass reset of hardware IDs`,
    about: msg`A reseller reset many hardware IDs.`,
    counts: msg`Resets`,
  },
  RESELLER_SAME_IP_LICENSES: {
    title: msg`Reseller's licenses from one IP`,
    about: msg`Licenses of one reseller were redeemed from one IP address.`,
    counts: msg`Licenses`,
  },
  RESELLER_LICENSE_PATTERN: {
    title: msg`Burst of licenses`,
    about: msg`A reseller generated many licenses in a short time.`,
    counts: msg`Licenses`,
  },
  RESELLER_CHARGEBACK_PATTERN: {
    title: msg`Chargeback pattern`,
    about: msg`Many licenses of one reseller were banned after they had been used.`,
    counts: msg`Licenses`,
  },
  RESELLER_CREDIT_ABUSE: {
    title: msg`Credit abuse`,
    about: msg`A reseller deleted many licenses, each of which gives credits back.`,
    counts: msg`Deletions`,
  },
  CROSS_APP_NO_LICENSE: {
    title: msg`No license for this app`,
    about: msg`A machine that is signed in to another of your apps tries this one without a license.`,
    counts: msg`Attempts`,
  },
  CROSS_APP_SAME_HWID: {
    title: msg`One machine in many apps`,
    about: msg`One machine signed in to several of your apps.`,
    counts: msg`Apps`,
  },
  CROSS_APP_SAME_IP: {
    title: msg`One IP in many apps`,
    about: msg`One IP address signed in to several of your apps.`,
    counts: msg`Apps`,
  },
  LICENSE_TRANSFER: {
    title: msg`License shared`,
    about: msg`A license was used on different machines at different IP addresses.`,
    counts: msg`Machines`,
  },
  LICENSE_RAPID_ACTIVATION: {
    title: msg`Rapid activations`,
    about: msg`Many licenses were redeemed from one IP address in a short time.`,
    counts: msg`Licenses`,
  },
}

export const scopeTexts: Record<AlertScope, MessageDescriptor> = {
  user: msg`Users`,
  reseller: msg`Resellers`,
  'cross-app': msg`Across apps`,
  license: msg`Licenses`,
}

export const severityTexts: Record<AlertSeverity, MessageDescriptor> = {
  CRITICAL: msg`Critical`,
  HIGH: msg`High`,
  MEDIUM: msg`Medium`,
  LOW: msg`Low`,
}

export const statusTexts: Record<AlertStatus, MessageDescriptor> = {
  new: msg`New`,
  reviewed: msg`Reviewed`,
  dismissed: msg`Dismissed`,
}
