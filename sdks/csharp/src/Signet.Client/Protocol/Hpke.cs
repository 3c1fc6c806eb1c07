using System;
using System.Security.Cryptography;
using Org.BouncyCastle.Math.EC.Rfc7748;
#if !NET
using Org.BouncyCastle.Crypto.Engines;
using Org.BouncyCastle.Crypto.Modes;
using Org.BouncyCastle.Crypto.Parameters;
#endif

namespace Signet.Client.Protocol;

/// <summary>
/// Sealed request bodies: HPKE (RFC 9180) base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, and one
/// message per key.
/// </summary>
internal static class Hpke
{
    internal const int KeyBytes = 32;
    internal const int TagBytes = 16;
    internal const int NonceBytes = 12;
    private static readonly byte[] Info = Wire.Bytes("signet/v1/request");
    private static readonly byte[] KemSuite = Wire.Concat(Wire.Bytes("KEM"), [0x00, 0x20]);
    private static readonly byte[] Suite = Wire.Concat(Wire.Bytes("HPKE"), [0x00, 0x20, 0x00, 0x01, 0x00, 0x02]);
    private static readonly byte[] VersionLabel = Wire.Bytes("HPKE-v1");

    /// <summary>The encapsulated key, then ciphertext and tag, under a fresh key.</summary>
    internal static byte[] Seal(byte[] recipient, byte[] plain, byte[] additionalData) =>
        Seal(recipient, plain, additionalData, Wire.RandomBytes(KeyBytes));

    /// <summary>With a given ephemeral key, for test vectors: each key may serve once.</summary>
    internal static byte[] Seal(byte[] recipient, byte[] plain, byte[] additionalData, byte[] ephemeral)
    {
        byte[] encapsulated = new byte[KeyBytes];
        X25519.ScalarMultBase(ephemeral, 0, encapsulated, 0);
        byte[] agreement = new byte[KeyBytes];
        if (!X25519.CalculateAgreement(ephemeral, 0, recipient, 0, agreement, 0))
        {
            throw new SignetException(SignetCode.InvalidConfiguration, "The sealing key is not usable.");
        }

        (byte[] key, byte[] nonce) = KeySchedule(agreement, encapsulated, recipient);
        return Wire.Concat(encapsulated, Encrypt(key, nonce, plain, additionalData));
    }

    /// <summary>AES key and nonce of the first message (RFC 9180 §4.1 and §5.1).</summary>
    internal static (byte[] Key, byte[] Nonce) KeySchedule(byte[] agreement, byte[] encapsulated, byte[] recipient)
    {
        byte[] empty = Array.Empty<byte>();
        byte[] extracted = Extract(KemSuite, empty, "eae_prk", agreement);
        byte[] shared = Expand(KemSuite, extracted, "shared_secret", Wire.Concat(encapsulated, recipient), KeyBytes);
        byte[] context = Wire.Concat(
            [0x00], Extract(Suite, empty, "psk_id_hash", empty), Extract(Suite, empty, "info_hash", Info));
        byte[] secret = Extract(Suite, shared, "secret", empty);
        byte[] key = Expand(Suite, secret, "key", context, KeyBytes);
        return (key, Expand(Suite, secret, "base_nonce", context, NonceBytes));
    }

    private static byte[] Extract(byte[] suite, byte[] salt, string label, byte[] secret) =>
        Hmac(salt, Wire.Concat(VersionLabel, suite, Wire.Bytes(label), secret));

    /// <summary>LabeledExpand for at most 32 bytes: a single block of HKDF-Expand.</summary>
    private static byte[] Expand(byte[] suite, byte[] key, string label, byte[] info, int length)
    {
        byte[] block = Hmac(
            key, Wire.Concat([0x00, (byte)length], VersionLabel, suite, Wire.Bytes(label), info, [0x01]));
        return Wire.Slice(block, 0, length);
    }

    private static byte[] Hmac(byte[] key, byte[] data)
    {
        using HMACSHA256 hmac = new(key);
        return hmac.ComputeHash(data);
    }

#if NET
    private static byte[] Encrypt(byte[] key, byte[] nonce, byte[] plain, byte[] additionalData)
    {
        byte[] ciphertext = new byte[plain.Length];
        byte[] tag = new byte[TagBytes];
        using AesGcm aes = new(key, TagBytes);
        aes.Encrypt(nonce, plain, ciphertext, tag, additionalData);
        return Wire.Concat(ciphertext, tag);
    }
#else
    private static byte[] Encrypt(byte[] key, byte[] nonce, byte[] plain, byte[] additionalData)
    {
        GcmBlockCipher cipher = new(new AesEngine());
        cipher.Init(true, new AeadParameters(new KeyParameter(key), TagBytes * 8, nonce, additionalData));
        byte[] sealedBytes = new byte[cipher.GetOutputSize(plain.Length)];
        int written = cipher.ProcessBytes(plain, 0, plain.Length, sealedBytes, 0);
        cipher.DoFinal(sealedBytes, written);
        return sealedBytes;
    }
#endif
}
