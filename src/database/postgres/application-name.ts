import packageFile from '../../../package.json' with { type: 'json' }

/** What a connection is for, as `pg_stat_activity` shows it. */
export type ConnectionPurpose = 'start' | 'calls' | 'reports' | 'events' | 'copy'

export const applicationName = (purpose: ConnectionPurpose): string => `signet ${packageFile.version} ${purpose}`
