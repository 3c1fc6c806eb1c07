import packageFile from '../../../package.json' with { type: 'json' }

/** The purpose of a connection, as shown in `pg_stat_activity`. */
export type ConnectionPurpose = 'start' | 'calls' | 'reports' | 'events' | 'copy'

export const applicationName = (purpose: ConnectionPurpose): string => `signet ${packageFile.version} ${purpose}`
