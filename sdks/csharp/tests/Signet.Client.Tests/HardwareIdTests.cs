using System.Runtime.InteropServices;
using Signet.Client.Machine;
using Signet.Client.Protocol;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>The ID of a machine is stable, private, and never one that many machines share.</summary>
public sealed class HardwareIdTests
{
    [Theory]
    [InlineData("uninitialized")]
    [InlineData("")]
    [InlineData("0123456789abcde")]
    [InlineData("00000000-0000-0000-0000-000000000000")]
    [InlineData("FFFFFFFF-FFFF-FFFF-FFFF-ffffffffffff")]
    public void An_identifier_that_many_machines_share_is_rejected(string machineId)
    {
        SignetException error = Assert.Throws<SignetException>(() => HardwareId.Of("Ab3dE6gH1j", machineId));
        Assert.Equal(SignetCode.HwidUnavailable, error.Code);
    }

    [Fact]
    public void Case_and_white_space_do_not_matter_but_the_seller_does()
    {
        string hwid = HardwareId.Of("Ab3dE6gH1j", "4C4C4544-0042-3510-8051-B4C04F4D3732\r\n");
        Assert.Equal(hwid, HardwareId.Of("Ab3dE6gH1j", "4c4c4544-0042-3510-8051-b4c04f4d3732"));
        Assert.NotEqual(hwid, HardwareId.Of("Zz3dE6gH1j", "4c4c4544-0042-3510-8051-b4c04f4d3732"));
        Assert.Equal(
            Hex.Encode(Wire.Sha256(Wire.LengthPrefixed(
                Wire.Bytes("signet/v1/hwid"),
                Wire.Bytes("Ab3dE6gH1j"),
                Wire.Bytes("4c4c4544-0042-3510-8051-b4c04f4d3732")))),
            hwid);
    }

    [Fact]
    public void The_UUID_is_found_in_the_output_of_ioreg()
    {
        const string Output = """
            +-o J314sAP  <class IOPlatformExpertDevice, id 0x100000201, registered>
                {
                  "IOPlatformSerialNumber" = "C02XXXXXXXXX"
                  "IOPlatformUUID" = "564D1234-ABCD-1234-ABCD-1234567890AB"
                }
            """;
        Assert.Equal("564D1234-ABCD-1234-ABCD-1234567890AB", MachineId.ParseIoreg(Output));
        Assert.Null(MachineId.ParseIoreg("\"IOPlatformUUID\" = \"unfinished"));
        Assert.Null(MachineId.ParseIoreg(null));
    }

    [Fact]
    public void Another_systems_registry_is_not_there()
    {
        if (!RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            Assert.Null(WindowsRegistry.MachineGuid());
        }
    }
}
