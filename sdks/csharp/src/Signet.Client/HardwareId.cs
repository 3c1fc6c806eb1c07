using System;
using Signet.Client.Machine;
using Signet.Client.Protocol;

namespace Signet.Client;

/// <summary>
/// A stable ID for this machine. It is advisory: it comes from the customer's machine, and the customer can change it.
/// </summary>
public static class HardwareId
{
    private const int MinHexDigits = 16;

    /// <summary>
    /// The ID that the client sends: 64 hexadecimal digits. The operating system's own identifier never leaves the
    /// machine, and two sellers get unrelated IDs.
    /// </summary>
    /// <param name="ownerId">The seller's ID.</param>
    /// <exception cref="SignetException"><c>HWID_UNAVAILABLE</c></exception>
    public static string OfThisMachine(string ownerId)
    {
        foreach (string? machineId in MachineId.Candidates())
        {
            if (machineId != null && TryCompute(ownerId, machineId) is { } hwid)
            {
                return hwid;
            }
        }

        throw Unavailable();
    }

    /// <summary>The hardware ID for a given machine identifier of the operating system.</summary>
    /// <param name="ownerId">The seller's ID.</param>
    /// <param name="machineId">The identifier, such as the content of <c>/etc/machine-id</c>.</param>
    /// <exception cref="SignetException"><c>HWID_UNAVAILABLE</c>: the identifier is the same on many machines.</exception>
    public static string Of(string ownerId, string machineId) =>
        TryCompute(ownerId, machineId ?? throw new ArgumentNullException(nameof(machineId))) ?? throw Unavailable();

    private static string? TryCompute(string ownerId, string machineId)
    {
        _ = ownerId ?? throw new ArgumentNullException(nameof(ownerId));
        string cleaned = machineId.Trim().ToLowerInvariant();
        return IsUsable(cleaned)
            ? Hex.Encode(Wire.Sha256(
                Wire.LengthPrefixed(Wire.Bytes("signet/v1/hwid"), Wire.Bytes(ownerId), Wire.Bytes(cleaned))))
            : null;
    }

    /// <summary>Images are shipped with "uninitialized" or with zeros, the same on every copy.</summary>
    private static bool IsUsable(string machineId)
    {
        int digits = 0;
        char first = '\0';
        bool isVaried = false;
        foreach (char character in machineId)
        {
            if (Hex.IsDigit(character))
            {
                digits++;
                first = first == '\0' ? character : first;
                isVaried |= character != first;
            }
        }

        return digits >= MinHexDigits && isVaried;
    }

    private static SignetException Unavailable() =>
        new(SignetCode.HwidUnavailable, "This machine has no lasting identifier to bind a license to.");
}
