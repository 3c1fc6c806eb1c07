using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Signet.Client.Machine;

/// <summary>Reads the registry without the package <c>Microsoft.Win32.Registry</c>.</summary>
internal static class WindowsRegistry
{
    private const int Success = 0;
    private const uint StringsOnly = 0x00000002; // RRF_RT_REG_SZ
    private const uint SixtyFourBitView = 0x00010000; // RRF_SUBKEY_WOW6464KEY
    private static readonly IntPtr LocalMachine = new(unchecked((int)0x80000002));

    /// <summary>A 32-bit program would otherwise read another view, which lacks this value.</summary>
    internal static string? MachineGuid()
    {
        byte[] data = new byte[512];
        uint size = (uint)data.Length;
        try
        {
            int result = RegGetValueW(
                LocalMachine,
                @"SOFTWARE\Microsoft\Cryptography",
                "MachineGuid",
                StringsOnly | SixtyFourBitView,
                IntPtr.Zero,
                data,
                ref size);
            return result == Success ? Encoding.Unicode.GetString(data, 0, (int)size).TrimEnd('\0') : null;
        }
        catch (Exception error) when (error is DllNotFoundException or EntryPointNotFoundException)
        {
            return null;
        }
    }

#pragma warning disable SYSLIB1054 // Source-generated marshalling doesn't exist in .NET Standard 2.0.
    [DllImport("advapi32.dll", CharSet = CharSet.Unicode, ExactSpelling = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern int RegGetValueW(
        IntPtr key, string subKey, string value, uint flags, IntPtr type, [Out] byte[] data, ref uint size);
#pragma warning restore SYSLIB1054
}
