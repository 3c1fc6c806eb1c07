import { useQuery } from '@tanstack/react-query'

interface PackageList {
  files: readonly { name: string }[]
}

/** How to get each client: from this server if it offers the packages, otherwise from a copy of the repository. */
export interface InstallCommands {
  python: string
  typescript: string
  csharp: string
  cpp: string
}

export function installCommands(serverUrl: string, list: PackageList | undefined): InstallCommands {
  const find = (pattern: RegExp) => list?.files.find(({ name }) => pattern.test(name))?.name
  const urlOf = (name: string) => `${serverUrl}/clients/${name}`
  const [wheel, npm] = [find(/\.whl$/), find(/^signet-client-.*\.tgz$/)]
  const [csharp, cpp] = [find(/^signet-csharp-.*\.tar\.gz$/), find(/^signet-cpp-.*\.tar\.gz$/)]
  const folder = (name: string) => name.replace(/\.tar\.gz$/, '')
  return {
    python: `pip install ${wheel ? urlOf(wheel) : './sdks/python'}`,
    typescript: `npm install ${npm ? urlOf(npm) : './sdks/typescript'}`,
    csharp: csharp
      ? `curl ${urlOf(csharp)} | tar xz\ndotnet add reference ${folder(csharp)}/src/Signet.Client`
      : 'dotnet add reference ./sdks/csharp/src/Signet.Client',
    cpp: `include(FetchContent)
FetchContent_Declare(signet ${cpp ? `URL ${urlOf(cpp)}` : 'SOURCE_DIR /path/to/sdks/cpp'})
FetchContent_MakeAvailable(signet)
target_link_libraries(your_program PRIVATE signet::signet)`,
  }
}

export function useInstallCommands(serverUrl: string): InstallCommands {
  const { data } = useQuery({
    queryKey: ['client-packages'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/clients/index.json', { signal })
      if (!response.ok) throw new Error('This server offers no packages')
      return (await response.json()) as PackageList
    },
    retry: false,
    staleTime: Infinity,
  })
  return installCommands(serverUrl, data)
}
