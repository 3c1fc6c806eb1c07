using System;
using System.Security.Cryptography;
using Org.BouncyCastle.Math.EC.Rfc7748;
using Signet.Client.Protocol;

namespace Signet.Client.Testing;

/// <summary>Opens sealed bodies, as a server does.</summary>
internal static class SealedBody
{
    /// <summary>Null if the body can't be opened.</summary>
    internal static byte[]? Open(byte[] recipientKey, byte[] body, byte[] additionalData)
    {
        int length = body.Length - Hpke.KeyBytes - Hpke.TagBytes;
        if (length < 0)
        {
            return null;
        }

        byte[] encapsulated = Wire.Slice(body, 0, Hpke.KeyBytes);
        byte[] recipient = new byte[Hpke.KeyBytes];
        X25519.ScalarMultBase(recipientKey, 0, recipient, 0);
        byte[] agreement = new byte[Hpke.KeyBytes];
        if (!X25519.CalculateAgreement(recipientKey, 0, encapsulated, 0, agreement, 0))
        {
            return null;
        }

        (byte[] key, byte[] nonce) = Hpke.KeySchedule(agreement, encapsulated, recipient);
        byte[] plain = new byte[length];
        try
        {
            using AesGcm aes = new(key, Hpke.TagBytes);
            aes.Decrypt(
                nonce,
                Wire.Slice(body, Hpke.KeyBytes, length),
                Wire.Slice(body, Hpke.KeyBytes + length, Hpke.TagBytes),
                plain,
                additionalData);
            return plain;
        }
        catch (CryptographicException)
        {
            return null;
        }
    }
}
