using System.Text;
using Org.BouncyCastle.Math.EC.Rfc7748;
using Org.BouncyCastle.Math.EC.Rfc8032;
using Signet.Client.Protocol;

namespace Signet.Client.Tests;

/// <summary>The keys of an app, and what is signed with them.</summary>
internal sealed class ServerIdentity
{
    internal ServerIdentity()
    {
        Certificate = CreateCertificate(1);
    }

    internal byte[] Root { get; } = Wire.RandomBytes(32);

    internal byte[] Key { get; } = Wire.RandomBytes(32);

    internal byte[] Recipient { get; } = Wire.RandomBytes(32);

    internal string Certificate { get; set; }

    internal string VerificationKey => Base64Url.Encode(PublicOf(Root));

    internal string SealingKey
    {
        get
        {
            byte[] key = new byte[32];
            X25519.ScalarMultBase(Recipient, 0, key, 0);
            return Base64Url.Encode(key);
        }
    }

    internal string CreateCertificate(
        long serial, byte[]? root = null, string kid = "k1", long notBefore = 0, long notAfter = 4_000_000_000) => Signed(
        root ?? Root,
        "signet/v1/key",
        $$"""{"v":1,"kid":"{{kid}}","key":"{{Base64Url.Encode(PublicOf(Key))}}","serial":{{serial}},"notBefore":{{notBefore}},"notAfter":{{notAfter}}}""");

    /// <summary>What stands before the certificate, and a dot between, once <paramref name="root"/> was replaced.</summary>
    internal static string Announce(byte[] root, byte[] replacement) => Signed(
        root, "signet/v1/root", $$"""{"v":1,"root":"{{Base64Url.Encode(PublicOf(replacement))}}"}""");

    /// <summary>The signature of a reply that is signed alone.</summary>
    internal string SignReply(SignetRequest request, string time, int status, byte[] body)
    {
        byte[] message = Reply.Message(request.App, "k1", request.Hash(), time, status, body);
        return Base64Url.Encode(Sign(Key, MerklePath.SignedBytes(message, string.Empty)!));
    }

    internal static byte[] PublicOf(byte[] key)
    {
        byte[] publicKey = new byte[32];
        Ed25519.GeneratePublicKey(key, 0, publicKey, 0);
        return publicKey;
    }

    private static string Signed(byte[] root, string purpose, string text)
    {
        byte[] payload = Encoding.UTF8.GetBytes(text);
        byte[] signature = Sign(root, Wire.LengthPrefixed(Wire.Bytes(purpose), payload));
        return Base64Url.Encode(payload) + "." + Base64Url.Encode(signature);
    }

    private static byte[] Sign(byte[] key, byte[] message)
    {
        byte[] signature = new byte[64];
        Ed25519.Sign(key, 0, message, 0, message.Length, signature, 0);
        return signature;
    }
}
