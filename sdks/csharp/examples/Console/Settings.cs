using System;
using System.Linq;
using Signet.Client;

/// <summary>Settings from arguments such as <c>--owner-id=…</c>, else from variables such as SIGNET_OWNER_ID.</summary>
internal static class Settings
{
    internal static SignetOptions Read(string[] arguments)
    {
        string Find(string name) => Value(arguments, name) ?? string.Empty;
        return new SignetOptions
        {
            OwnerId = Find("owner-id"),
            AppName = Find("app-name"),
            Version = Find("version"),
            ServerUrl = Find("server-url"),
            VerificationKey = Find("verification-key"),
            SealingKey = Find("sealing-key"),
        };
    }

    internal static string? Value(string[] arguments, string name)
    {
        string prefix = $"--{name}=";
        string? argument = arguments.FirstOrDefault(text => text.StartsWith(prefix, StringComparison.Ordinal));
        return argument?.Substring(prefix.Length)
            ?? Environment.GetEnvironmentVariable("SIGNET_" + name.Replace('-', '_').ToUpperInvariant());
    }
}
