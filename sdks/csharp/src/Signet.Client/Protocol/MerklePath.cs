namespace Signet.Client.Protocol;

/// <summary>From a reply's message to the root that the server signed for a group of replies.</summary>
internal static class MerklePath
{
    private const int StepBytes = 33;
    private const int MaxSteps = 16;

    /// <summary>The bytes under the signature; null if <paramref name="path"/> isn't a path.</summary>
    /// <param name="message">The message of the reply.</param>
    /// <param name="path"><c>X-Signet-Path</c>; empty if the reply was signed alone.</param>
    internal static byte[]? SignedBytes(byte[] message, string path)
    {
        byte[]? steps = Base64Url.Decode(path);
        if (steps is null || steps.Length % StepBytes != 0 || steps.Length > MaxSteps * StepBytes)
        {
            return null;
        }

        byte[] hash = Wire.Sha256(Wire.Concat([0], message));
        for (int at = 0; at < steps.Length; at += StepBytes)
        {
            byte[] sibling = Wire.Slice(steps, at + 1, StepBytes - 1);
            switch (steps[at])
            {
                case 0:
                    hash = Wire.Sha256(Wire.Concat([1], sibling, hash));
                    break;
                case 1:
                    hash = Wire.Sha256(Wire.Concat([1], hash, sibling));
                    break;
                default:
                    return null;
            }
        }

        return Wire.LengthPrefixed(Wire.Bytes("signet/v1/replies"), hash);
    }
}
