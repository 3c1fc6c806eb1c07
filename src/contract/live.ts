/** Lists of the dashboard that follow changes. */
export const liveSubjects = ['licenses', 'users', 'sessions', 'alerts'] as const
export type LiveSubject = (typeof liveSubjects)[number]
