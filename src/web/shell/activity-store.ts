import { createStore } from '../browser/store.ts'

/** Whether the drawer of activity is open. */
export const activityStore = createStore(false)
