using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

namespace Signet.Client.Machine;

/// <summary>The operating system's identifier of its installation.</summary>
internal static class MachineId
{
    private const int IoregTimeoutMs = 10_000;

    /// <summary>The identifiers in the order in which they should be used.</summary>
    internal static IEnumerable<string?> Candidates()
    {
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            yield return WindowsRegistry.MachineGuid();
        }
        else if (RuntimeInformation.IsOSPlatform(OSPlatform.OSX))
        {
            yield return ParseIoreg(RunIoreg());
        }
        else
        {
            yield return ReadFile("/etc/machine-id");
            yield return ReadFile("/var/lib/dbus/machine-id");
        }
    }

    /// <summary>The <c>IOPlatformUUID</c> in what <c>ioreg</c> prints.</summary>
    internal static string? ParseIoreg(string? output)
    {
        const string Name = "\"IOPlatformUUID\"";
        int name = output?.IndexOf(Name, StringComparison.Ordinal) ?? -1;
        int start = name < 0 ? -1 : output!.IndexOf('"', name + Name.Length);
        int end = start < 0 ? -1 : output!.IndexOf('"', start + 1);
        return end < 0 ? null : output!.Substring(start + 1, end - start - 1);
    }

    private static string? ReadFile(string path)
    {
        try
        {
            using StreamReader file = new(path, Encoding.ASCII);
            char[] text = new char[128];
            return new string(text, 0, file.ReadBlock(text, 0, text.Length));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string? RunIoreg()
    {
        try
        {
            using Process? process = Process.Start(new ProcessStartInfo
            {
                FileName = "/usr/sbin/ioreg",
                Arguments = "-rd1 -c IOPlatformExpertDevice",
                RedirectStandardOutput = true,
                UseShellExecute = false,
                CreateNoWindow = true,
            });
            if (process is null)
            {
                return null;
            }

            System.Threading.Tasks.Task<string> output = process.StandardOutput.ReadToEndAsync();
            if (!output.Wait(IoregTimeoutMs))
            {
                process.Kill();
                return null;
            }

            return output.Result;
        }
        catch (Exception error) when (error is InvalidOperationException or System.ComponentModel.Win32Exception
            or IOException or AggregateException)
        {
            return null;
        }
    }
}
