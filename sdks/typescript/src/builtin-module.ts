interface Runtime {
  process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => unknown }
}

/** A module of Node. It is looked up when it is needed, and no bundler for browsers sees an import. */
export const builtinModule = <T>(name: string): T | undefined =>
  (globalThis as Runtime).process?.getBuiltinModule?.(name) as T | undefined

/** Others imitate Node's modules, and nobody has tested whether their TLS checks what Node's does. */
const imitators = ['Deno', 'Bun', 'WebSocketPair']

/** Whether this is Node itself, or Electron's. */
export const isNode = (): boolean =>
  typeof (globalThis as Runtime).process?.versions?.node === 'string' &&
  builtinModule('node:tls') !== undefined &&
  !imitators.some((name) => name in globalThis)
