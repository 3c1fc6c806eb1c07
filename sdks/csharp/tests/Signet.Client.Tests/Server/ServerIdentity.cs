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

    internal string CreateCertificate(long serial, byte[]? root = null)
    {
        byte[] payload = Encoding.UTF8.GetBytes(
            $$"""{"v":1,"kid":"k1","key":"{{Base64Url.Encode(PublicOf(Key))}}","serial":{{serial}},"notBefore":0,"notAfter":4000000000}""");
        byte[] signature = Sign(root ?? Root, Wire.LengthPrefixed(Wire.Bytes("signet/v1/key"), payload));
        return Base64Url.Encode(payload) + "." + Base64Url.Encode(signature);
    }

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

    private static byte[] Sign(byte[] key, byte[] message)
    {
        byte[] signature = new byte[64];
        Ed25519.Sign(key, 0, message, 0, message.Length, signature, 0);
        return signature;
    }
}
