import { createStore } from './store.ts'

export type NotificationType = 'success' | 'error' | 'warning' | 'info'

export interface PastNotification {
  id: string
  message: string
  type: NotificationType
  /** Epoch seconds. */
  at: number
}

const maximumKept = 50

/** What toasts said in this tab, newest first: a toast disappears before everybody has read it. */
export const notificationHistory = createStore<readonly PastNotification[]>([])

export const keepNotification = (notification: PastNotification): void =>
  notificationHistory.set([notification, ...notificationHistory.get()].slice(0, maximumKept))

/** With the session: the next person at this tab must not read them. */
export const forgetNotifications = (): void => notificationHistory.set([])
