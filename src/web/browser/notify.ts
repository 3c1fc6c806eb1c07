import { t } from '@lingui/core/macro'
import { keepNotification, type NotificationType } from './notification-history.ts'
import { createStore } from './store.ts'

export interface NotificationAction {
  label: string
  onAction: () => void
  /** What it acts on, if a repeated text with the same subject replaces its toast. */
  subject?: unknown
}

export interface Notification {
  id: string
  message: string
  type: NotificationType
  /** Milliseconds on screen; `Infinity` until it is dismissed. */
  duration: number
  action?: NotificationAction
}

export const notificationDuration: Record<NotificationType, number> = {
  success: 5000,
  error: 7000,
  warning: 6000,
  info: 5000,
}

const undoableMs = 10_000

/** More toasts would cover the page; the oldest is removed, unless it stays until it is dismissed. */
const maximumShown = 3

export const notificationStore = createStore<readonly Notification[]>([])

let counter = 0

/** A repeated text replaces its previous toast, unless that has an action of its own, such as Undo of another row. */
const isRepeatedBy = (shown: Notification, { message, type, action }: Notification): boolean =>
  shown.message === message &&
  shown.type === type &&
  (!shown.action || (shown.action.subject ?? shown) === action?.subject)

type Options = Partial<Pick<Notification, 'action' | 'duration'>>

function show(type: NotificationType, message: string, options: Options = {}) {
  const id = String(++counter)
  // Leaves time to press Undo.
  const duration = options.action ? undoableMs : notificationDuration[type]
  const notification: Notification = { id, message, type, duration, ...options }
  keepNotification({ id, message, type, at: Math.floor(Date.now() / 1000) })
  const others = notificationStore.get().filter((shown) => !isRepeatedBy(shown, notification))
  const oldest = others.length - maximumShown
  const kept = others.filter((shown, index) => index > oldest || shown.duration === Infinity)
  notificationStore.set([...kept, notification])
  return id
}

export function dismissNotification(id: string) {
  notificationStore.set(notificationStore.get().filter((shown) => shown.id !== id))
}

type Show = (message: string, options?: Options) => string

export const notify: Record<NotificationType, Show> = {
  success: (message, options) => show('success', message, options),
  error: (message, options) => show('error', message, options),
  warning: (message, options) => show('warning', message, options),
  info: (message, options) => show('info', message, options),
}

/** A success with an Undo button. */
export const notifyUndoable = (message: string, onUndo: () => void) =>
  notify.success(message, { action: { label: t`Undo`, onAction: onUndo } })
