using Org.BouncyCastle.Math.EC.Rfc7748;
using Org.BouncyCastle.Math.EC.Rfc8032;

namespace Signet.Client.Protocol;

/// <summary>
/// Reads public keys, and rejects those under which anybody can sign or open: RFC 8032 §5.1.3 and small order.
/// </summary>
internal static class PublicKeys
{
    private const int KeyBytes = 32;
    private static readonly byte[] TrialScalar = CreateTrialScalar();

    /// <summary>A key that verifies signatures; null if the text isn't the one encoding of a usable key.</summary>
    internal static byte[]? ReadEd25519(string text)
    {
        byte[]? key = Base64Url.Decode(text);

        // Also rejects points of small order.
        return key?.Length == KeyBytes && Ed25519.ValidatePublicKeyPartial(key, 0) ? key : null;
    }

    /// <summary>A key that requests are sealed to; null if the text isn't the one encoding of a usable key.</summary>
    internal static byte[]? ReadX25519(string text)
    {
        byte[]? key = Base64Url.Decode(text);
        if (key is null || key.Length != KeyBytes || !IsReduced(key))
        {
            return null;
        }

        return X25519.CalculateAgreement(TrialScalar, 0, key, 0, new byte[KeyBytes], 0) ? key : null;
    }

    /// <summary>Whether the little-endian number is below 2^255 - 19; the top bit counts.</summary>
    private static bool IsReduced(byte[] key)
    {
        if (key[31] != 0x7F)
        {
            return key[31] < 0x7F;
        }

        for (int at = 30; at > 0; at--)
        {
            if (key[at] != 0xFF)
            {
                return true;
            }
        }

        return key[0] < 0xED;
    }

    private static byte[] CreateTrialScalar()
    {
        byte[] scalar = new byte[KeyBytes];
        scalar[0] = 8;
        scalar[31] = 0x40;
        return scalar;
    }
}
