import manifest from '../../../package.json' with { type: 'json' }

export const serverVersion: string = manifest.version
