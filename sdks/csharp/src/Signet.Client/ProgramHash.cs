using System;
using System.Diagnostics;
using System.IO;
using System.Reflection;
using System.Security.Cryptography;
using Signet.Client.Protocol;

namespace Signet.Client;

/// <summary>
/// The SHA-256 of the program file, which the server can compare. A changed program can send any value.
/// </summary>
public sealed class ProgramHash
{
    private readonly string? _hash;
    private readonly string? _path;
    private string? _computed;

    private ProgramHash(string? hash, string? path)
    {
        _hash = hash;
        _path = path;
    }

    /// <summary>
    /// The file of the running program: the entry assembly, or the executable file if the program is a single file,
    /// compiled ahead of time, or made with Unity.
    /// </summary>
    public static ProgramHash RunningProgram { get; } = new(null, null);

    /// <summary>A SHA-256 that you computed yourself, in hexadecimal.</summary>
    /// <param name="sha256">64 hexadecimal digits.</param>
    /// <exception cref="SignetException"><c>INVALID_CONFIGURATION</c></exception>
    public static ProgramHash FromHex(string sha256)
    {
        if (sha256 is null || !Hex.IsSha256(sha256))
        {
            throw new SignetException(
                SignetCode.InvalidConfiguration, "A program hash is a SHA-256: 64 hexadecimal digits.");
        }

        return new ProgramHash(sha256.ToLowerInvariant(), null);
    }

    /// <summary>The SHA-256 of another file, such as the main assembly of a program with a launcher.</summary>
    /// <param name="path">The path of the file. It is read at the first call to the server.</param>
    public static ProgramHash OfFile(string path) => new(null, path ?? throw new ArgumentNullException(nameof(path)));

    /// <exception cref="SignetException"><c>PROGRAM_NOT_FOUND</c></exception>
    internal string Compute() => _hash ?? (_computed ??= HashOf(_path ?? FindRunningProgram()));

    private static string HashOf(string path)
    {
        try
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            using SHA256 sha256 = SHA256.Create();
            return Hex.Encode(sha256.ComputeHash(file));
        }
        catch (Exception error) when (
            error is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new SignetException(
                SignetCode.ProgramNotFound, $"The program file can't be read: {error.Message}", error);
        }
    }

#if NET
    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage(
        "SingleFile", "IL3000", Justification = "An empty location selects the executable file.")]
#endif
    private static string FindRunningProgram()
    {
        string? assembly = Assembly.GetEntryAssembly()?.Location;
        if (!string.IsNullOrEmpty(assembly))
        {
            return assembly!;
        }

        using Process process = Process.GetCurrentProcess();
        return process.MainModule?.FileName
            ?? throw new SignetException(SignetCode.ProgramNotFound, "There is no program file to hash.");
    }
}
