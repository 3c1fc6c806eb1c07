import { version } from '#sdk/version.ts'

/** The folder of the C# project in `installCommands`; the client's sources are unpacked beside it. */
export const csharpProject = 'YourProgram'

/** How to get each client from this server, which offers those of its own version. */
export interface InstallCommands {
  python: string
  typescript: string
  csharp: string
  cpp: string
}

export function installCommands(serverUrl: string): InstallCommands {
  const urlOf = (name: string) => `${serverUrl}/clients/${name}`
  const csharp = `signet-csharp-${version}`
  return {
    python: `pip install ${urlOf(`signet_client-${version}-py3-none-any.whl`)}`,
    typescript: `npm install ${urlOf(`signet-client-${version}.tgz`)}`,
    // Not inside the project: .NET compiles every .cs file below a project as a part of it.
    csharp: `dotnet new console -o ${csharpProject}
curl ${urlOf(`${csharp}.tar.gz`)} | tar xz
dotnet add ${csharpProject} reference ${csharp}/src/Signet.Client`,
    cpp: `include(FetchContent)
FetchContent_Declare(signet URL ${urlOf(`signet-cpp-${version}.tar.gz`)})
FetchContent_MakeAvailable(signet)
target_link_libraries(your_program PRIVATE signet::signet)`,
  }
}
